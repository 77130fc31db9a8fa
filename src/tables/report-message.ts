import { hash } from 'node:crypto'
import type { LinkTokens } from '../keys/unsubscribe-token.ts'
import { type Field, fieldIn, fieldsOf, type ReadMessage } from '../mail/read-message.ts'
import { parseEmail } from '../shared/email.ts'
import type { Refusal } from '../store/refusal.ts'
import type { Departure } from '../store/standing.ts'
import { refusalOf } from './refusal.ts'

/** A report of a mail server about one letter: that it was refused, or a complaint. */
export interface Report {
  readonly says: Refusal | Exclude<Departure, 'bounced'>
  /** The reason, in the server's words. */
  readonly detail: string | undefined
  /** Possible recipients, most likely first, as `parseEmail` returns them. */
  readonly emails: readonly string[]
  /**
   * The token of the unsubscribe link in the returned headers, which only the recipient was sent.
   */
  readonly addressId: string | undefined
  /** When it was written, as far as it says, or the letter was. */
  readonly at: Date | undefined
  /** The same whenever this report is read, and another for each other one. */
  readonly id: string
}

type Fields = readonly Field[]

/** Recipients of one letter that are read; ours have one. */
const MOST_RECIPIENTS = 10

/**
 * Reads a report: RFC 3464 or qmail's on delivery; RFC 5965 or Microsoft's older form on complaints.
 *
 * @returns `undefined` for any other message, and for one that reports nothing to act upon.
 */
export function readReport(message: ReadMessage, tokens: LinkTokens): Report | undefined {
  const text = (...names: string[]) => textOf(message, names)
  const plain = text('plain')
  const [notice = '', copy = ''] = QMAIL.test(plain) ? plain.split(QMAIL_COPY) : []
  const letter = text('rfc822', 'rfc822-headers', 'global', 'headers') || copy.trimStart()
  const returned = fieldsOf(letter.split(/\r?\n\r?\n/, 1).join(''))
  const delivery = text('delivery-status')
  const about =
    readDelivery(notice ? recipientsOfQmail(notice) : groupsOf(delivery)) ??
    readComplaint(groupsOf(text('feedback-report'))) ??
    readOlderComplaint(message.fields, returned)
  if (!about) return undefined
  const both = (name: string) => [message.fields, returned].map((fields) => fieldIn(fields, name))
  const dates = both('date').map((date) => new Date(date))
  return {
    says: about.says,
    detail: about.detail,
    emails: [...new Set([...about.recipients, fieldIn(returned, 'to')].flatMap(addressIn))],
    addressId: ourToken(fieldIn(returned, 'list-unsubscribe'), tokens),
    at: dates.find((at) => at.getTime() >= 0 && at <= new Date()),
    id: hash('sha256', JSON.stringify([both('message-id'), both('date'), delivery, notice])),
  }
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

/** How qmail, and Yahoo after it, begin what they write: cr.yp.to/proto/qsbmf.txt. */
const QMAIL = /^Hi\.\sThis\sis\sthe\s/
const QMAIL_COPY = /^--- Below this line is a copy of the message\.$/m

/** `<ada@example.com>:`, and what its server said, up to an empty line. */
function recipientsOfQmail(notice: string): Fields[] {
  const found = notice.matchAll(/^<(\S+)>:\n(.+(?:\n.+)*)/gm).take(MOST_RECIPIENTS)
  return [...found].map(([, recipient = '', answer = '']) => [
    ['action', 'failed'],
    ['final-recipient', recipient],
    ['diagnostic-code', answer],
  ])
}

interface About extends Pick<Report, 'says' | 'detail'> {
  readonly recipients: readonly string[]
}

/**
 * What a report on delivery says of the mailbox. Where one letter went on to several addresses, all
 * of them must have failed: the recipient may have had it at one of them.
 */
function readDelivery(groups: readonly Fields[]): About | undefined {
  const found = groups.filter((group) => fieldIn(group, 'action')).map(readRecipient)
  // The first is the most in the reader's favour.
  const says = (['other', 'full', 'gone'] as const).find((one) =>
    found.some((recipient) => recipient?.says === one),
  )
  return found.every(Boolean) ? found.find((one) => one?.says === says) : undefined
}

function readRecipient(group: Fields): About | undefined {
  const [action, status] = ['action', 'status'].map((name) => fieldIn(group, name))
  if (action?.toLowerCase() !== 'failed') return undefined
  const diagnosis = fieldIn(group, 'diagnostic-code').replace(/^[\w-]+\s*;\s*/, '')
  const recipients = ['final-recipient', 'original-recipient'].map((name) => fieldIn(group, name))
  const [email = ''] = recipients.flatMap(addressIn)
  const domain = email.slice(email.lastIndexOf('@') + 1)
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

/**
 * Microsoft's Junk Mail Reporting Program sends the letter alone, with the recipient in a field of
 * its own; what others forward has neither mark.
 */
function readOlderComplaint(fields: Fields, returned: Fields): About | undefined {
  const recipient = fieldIn(returned, 'x-hmxmroriginalrecipient')
  const isFromStaff =
    /\bstaff@hotmail\.com\b/i.test(fieldIn(fields, 'from')) &&
    /^complaint about message from /i.test(fieldIn(fields, 'subject'))
  if (!recipient && !isFromStaff) return undefined
  return { says: 'complained', detail: 'abuse, reported by Microsoft', recipients: [recipient] }
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
