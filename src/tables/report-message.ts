import PostalMime, { type Email } from 'postal-mime'
import type { LinkTokens } from '../keys/unsubscribe-token.ts'
import { parseEmail } from '../shared/email.ts'
import type { Departure } from '../store/standing.ts'
import { type Refusal, refusalOf } from './refusal.ts'

/** A report of a mail server about one message: a bounce or a complaint. */
export interface Report {
  readonly standing: Departure
  /** The reason, in the server's words. */
  readonly detail: string | undefined
  /** Possible recipients, most likely first, as `parseEmail` returns them. */
  readonly emails: readonly string[]
  /**
   * The token of the unsubscribe link in the returned headers, which only the recipient was sent.
   */
  readonly addressId: string | undefined
}

type Fields = ReadonlyMap<string, string>

/** Recipients of one message that are read; our messages have one. */
const MOST_GROUPS = 10

/**
 * Reads a report (RFC 3464 on delivery, RFC 5965 on complaints).
 *
 * @returns `undefined` for any other message, and for one that reports nothing to act upon.
 */
export async function readReport(
  message: Uint8Array,
  tokens: LinkTokens,
): Promise<Report | undefined> {
  const parts = partsOf(await parsed(message))
  const returned = await returnedHeaders(parts)
  const about =
    (await readDelivery(parts.get('delivery-status'))) ??
    (await readComplaint(parts.get('feedback-report')))
  if (!about) return undefined
  const emails = [...about.recipients, returned.get('to') ?? ''].flatMap(addressIn)
  return {
    standing: about.standing,
    detail: about.detail,
    emails: [...new Set(emails)],
    addressId: ourToken(returned.get('list-unsubscribe') ?? '', tokens),
  }
}

/** A message that cannot be parsed reports nothing. */
async function parsed(message: Uint8Array): Promise<Email | undefined> {
  const options = { forceRfc822Attachments: true, maxNestingDepth: 10 }
  return PostalMime.parse(message, options).catch(() => undefined)
}

/** The parts of a report, by their subtype. */
function partsOf(email: Email | undefined): ReadonlyMap<string, Uint8Array> {
  const named = (email?.attachments ?? []).flatMap(({ mimeType, content }) => {
    const [, name] = /^(?:message|text)\/(?:global-)?([a-z0-9-]+)$/.exec(mimeType) ?? []
    return name && typeof content !== 'string' ? [[name, new Uint8Array(content)] as const] : []
  })
  return new Map(named.toReversed())
}

async function returnedHeaders(parts: ReadonlyMap<string, Uint8Array>): Promise<Fields> {
  const names = ['rfc822', 'rfc822-headers', 'global', 'headers']
  const part = names.map((name) => parts.get(name)).find(Boolean)
  return fields(await parsed(part ?? new Uint8Array()))
}

const fields = (email: Email | undefined): Fields =>
  new Map((email?.headers ?? []).map(({ key, value }) => [key, value]))

/** Groups of fields, each formatted like the header of a message. */
async function groupsOf(part: Uint8Array | undefined): Promise<Fields[]> {
  const texts = new TextDecoder().decode(part).split(/(?:\r?\n){2,}/, MOST_GROUPS + 1)
  const groups = texts.filter((text) => text.trim() !== '')
  return Promise.all(groups.map(async (text) => fields(await parsed(Buffer.from(`${text}\n\n`)))))
}

interface About {
  readonly standing: Departure
  readonly detail: string | undefined
  readonly recipients: readonly string[]
}

/**
 * What says that the mailbox does not exist. Where one letter went to several addresses, all of them
 * must have failed so: the recipient may have had it at one of them.
 */
async function readDelivery(part: Uint8Array | undefined): Promise<About | undefined> {
  const groups = (await groupsOf(part)).filter((group) => group.has('action'))
  const [failed] = groups
  if (!failed || !groups.every((group) => refusalIn(group) === 'gone')) return undefined
  return {
    standing: 'bounced',
    detail: diagnosisIn(failed) || failed.get('status')?.trim(),
    recipients: recipientsIn(failed),
  }
}

/** The diagnosis is more specific than the status, which many servers write without looking. */
function refusalIn(group: Fields): Refusal | undefined {
  if (group.get('action')?.trim().toLowerCase() !== 'failed') return undefined
  const [email = ''] = recipientsIn(group).flatMap(addressIn)
  const domain = email.slice(email.lastIndexOf('@') + 1)
  const status = group.get('status') ?? ''
  const found = refusalOf(diagnosisIn(group), domain) ?? refusalOf(status, domain)
  return found === 'gone' && status.trim().startsWith('4') ? 'other' : found
}

const diagnosisIn = (group: Fields) =>
  group
    .get('diagnostic-code')
    ?.replace(/^\s*[\w-]+\s*;/, '')
    .trim() ?? ''

const recipientsIn = (group: Fields) => [
  group.get('final-recipient') ?? '',
  group.get('original-recipient') ?? '',
]

const complaints: Readonly<Record<string, Departure>> = {
  abuse: 'complained',
  fraud: 'complained',
  'opt-out': 'unsubscribed',
}

async function readComplaint(part: Uint8Array | undefined): Promise<About | undefined> {
  const [group] = await groupsOf(part)
  const type = group?.get('feedback-type')?.trim().toLowerCase() ?? ''
  const standing = Object.hasOwn(complaints, type) ? complaints[type] : undefined
  if (!group || !standing) return undefined
  const reporter = group.get('user-agent')?.trim()
  return {
    standing,
    detail: [type, ...(reporter ? [`reported by ${reporter}`] : [])].join(', '),
    recipients: [group.get('original-rcpt-to') ?? ''],
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
