import type { Departure } from '../store/standing.ts'
import { meaningOf, plainWord } from './row-standing.ts'

/** The meaning of a report: a standing, or nothing to do. */
export type Verdict = Departure | 'harmless'

/** Words of mail providers for events that need no action. */
const harmless = new Set(
  (
    'soft_bounce soft_bounced transient temporary undetermined deferred delayed relayed expanded ' +
    'sent processed requests delivered opened open unique_opened first_opening loaded_by_proxy ' +
    'proxy_open clicked click error not_spam virus dns_error subscription_change'
  )
    .split(' ')
    .map(plainWord),
)

/**
 * Interprets a cell: a word, or a code of RFC 3463 or RFC 5321, alone or before a text. Codes 5.7.x
 * are about the sender, not the mailbox. If they counted, a block list could suppress everybody.
 *
 * @returns `undefined` for a cell without a meaning.
 */
export function verdictOf(cell: string): Verdict | undefined {
  const text = cell.trim().slice(0, 1000)
  const [, status] = /^(?:\d{3}[ -])?(\d\.\d{1,3}\.\d{1,3})(?!\d)/.exec(text) ?? []
  if (status) return status.startsWith('5.') && !status.startsWith('5.7.') ? 'bounced' : 'harmless'
  const [, reply] = /^([245]\d{2})(?:[ -]|$)/.exec(text) ?? []
  if (reply) return reply.startsWith('5') ? 'bounced' : 'harmless'
  const word = plainWord(text)
  if (harmless.has(word)) return 'harmless'
  // A yes or a no is no reason.
  const meaning = /^(?:|true|false|yes|no|[01])$/.test(word) ? undefined : meaningOf(word)
  const isVerdict = meaning !== 'subscribed' && meaning !== 'unconfirmed'
  return isVerdict && meaning !== 'quarantined' ? meaning : undefined
}
