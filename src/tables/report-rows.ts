import { hash } from 'node:crypto'
import { type AddressIds, addressIds } from '../keys/address-id.ts'
import { type LinkTokens, unsubscribeTokens } from '../keys/unsubscribe-token.ts'
import { type Field, fieldIn, fieldsOf, type ReadMessage } from '../mail/read-message.ts'
import type { Departure } from '../people/standing.ts'
import { domainOf } from '../shared/address-folding.ts'
import { parseEmail } from '../shared/email.ts'
import type { Refusal } from '../store/refusal.ts'
import { mildest, refusalOf } from './refusal.ts'
import type { SuppressRow } from './suppress-rows.ts'

export interface ReportReading {
  readonly linkKey: Buffer
  /** Accepts a report without an unsubscribe link of ours. */
  readonly withoutProof?: boolean
}

type Fields = readonly Field[]

/** Recipients of one letter that are read; ours have one. */
const MOST_RECIPIENTS = 10

/**
 * What messages report: a row for each. Reads RFC 3464 on delivery, and RFC 5965 on complaints; any other
 * message is harmless.
 */
export async function* reportRows(
  messages: AsyncIterable<ReadMessage>,
  { linkKey, withoutProof = false }: ReportReading,
): AsyncIterable<SuppressRow> {
  const reading = { ids: addressIds(linkKey), tokens: unsubscribeTokens(linkKey), withoutProof }
  let number = 0
  for await (const message of messages) {
    number += 1
    const place = `message ${number}`
    if (message.isCut) yield { kind: 'problem', place, problem: { code: 'cut' } }
    yield readReport(message, place, reading)
  }
}

function readReport(
  message: ReadMessage,
  place: string,
  { ids, tokens, withoutProof }: { ids: AddressIds; tokens: LinkTokens; withoutProof: boolean },
): SuppressRow {
  const text = (...names: string[]) => textOf(message, names)
  const letter = text('rfc822', 'rfc822-headers', 'global', 'headers')
  const returned = fieldsOf(letter.split(/\r?\n\r?\n/, 1).join(''))
  const delivery = text('delivery-status')
  const about = readDelivery(groupsOf(delivery)) ?? readComplaint(groupsOf(text('feedback-report')))
  if (!about) return { kind: 'harmless' }
  const { says, detail, recipients } = about
  // Only the recipient was sent this link: it says who it was, and the report names their address.
  const addressId = ourToken(fieldIn(returned, 'list-unsubscribe'), tokens)
  if (!addressId && !withoutProof) return { kind: 'problem', place, problem: { code: 'no-proof' } }
  const email = [...recipients, fieldIn(returned, 'to')]
    .flatMap(addressIn)
    .find((one) => !addressId || ids.of(one) === addressId)
  if (!email)
    return says !== 'full' && says !== 'other' && addressId
      ? { kind: 'unsubscribe', addressId }
      : { kind: 'harmless' }
  const both = (name: string) => [message.fields, returned].map((fields) => fieldIn(fields, name))
  const dates = both('date').map((date) => new Date(date))
  const at = dates.find((date) => date.getTime() >= 0 && date <= new Date())
  if (says === 'complained' || says === 'unsubscribed')
    return { kind: 'departure', heard: { email, standing: says, at, detail } }
  const same = [both('message-id'), both('date'), delivery]
  const report = hash('sha256', JSON.stringify(same))
  return { kind: 'refusal', heard: { email, refusal: says, at, detail, report } }
}

/** The text of the first part of one of these subtypes. */
function textOf({ parts }: ReadMessage, names: readonly string[]): string {
  const found = names.map((name) =>
    parts.find(({ type }) => type.replace(/^(?:message|text)\/(?:global-)?/, '') === name),
  )
  return found.find(Boolean)?.text ?? ''
}

/** Groups of fields, each formatted like the header of a message. */
function groupsOf(part: string): Fields[] {
  return part.split(/(?:\r?\n){2,}/, MOST_RECIPIENTS + 1).map(fieldsOf)
}

interface About {
  readonly says: Refusal | Exclude<Departure, 'bounced'>
  /** The reason, in the server's words. */
  readonly detail: string | undefined
  /** Most likely first. */
  readonly recipients: readonly string[]
}

/**
 * What a report on delivery says of the mailbox. Where one letter went on to several addresses, all
 * of them must have failed: the recipient may have had it at one of them.
 */
function readDelivery(groups: readonly Fields[]): About | undefined {
  const found = groups.filter((group) => fieldIn(group, 'action')).map(readRecipient)
  const says = mildest(found.map((recipient) => recipient?.says))
  return found.every(Boolean) ? found.find((one) => one?.says === says) : undefined
}

function readRecipient(group: Fields): About | undefined {
  const [action, status] = ['action', 'status'].map((name) => fieldIn(group, name))
  if (action?.toLowerCase() !== 'failed') return undefined
  const diagnosis = fieldIn(group, 'diagnostic-code').replace(/^[\w-]+\s*;\s*/, '')
  const recipients = ['final-recipient', 'original-recipient'].map((name) => fieldIn(group, name))
  const [email = ''] = recipients.flatMap(addressIn)
  const domain = domainOf(email)
  // Many servers write one status for everything.
  const says = refusalOf(diagnosis, domain) ?? refusalOf(status ?? '', domain) ?? 'other'
  const isForGood = says !== 'gone' || !status?.startsWith('4')
  return { says: isForGood ? says : 'other', detail: diagnosis || status, recipients }
}

const complaints: Readonly<Record<string, Exclude<Departure, 'bounced'>>> = {
  abuse: 'complained',
  fraud: 'complained',
  'opt-out': 'unsubscribed',
}

function readComplaint([group = []]: readonly Fields[]): About | undefined {
  const type = fieldIn(group, 'feedback-type').toLowerCase()
  const says = Object.hasOwn(complaints, type) ? complaints[type] : undefined
  if (!says) return undefined
  const reporter = fieldIn(group, 'user-agent')
  return {
    says,
    detail: [type, ...(reporter ? [`reported by ${reporter}`] : [])].join(', '),
    recipients: [fieldIn(group, 'original-rcpt-to')],
  }
}

/** `rfc822; ada@example.com`, `<ada@example.com>`, `Ada <ada@example.com>` */
function addressIn(field: string): string[] {
  const [address = ''] = /[^\s<>;,]{1,254}@[^\s<>;,]{1,254}/.exec(field.slice(0, 1000)) ?? []
  const email = parseEmail(address)
  return email === undefined ? [] : [email]
}

function ourToken(header: string, tokens: LinkTokens): string | undefined {
  const candidates = header.slice(0, 10_000).match(/(?<![\w-])[\w-]{44}(?![\w-])/g) ?? []
  return candidates.map((candidate) => tokens.read(candidate)).find(Boolean)
}
