import type { Departure } from '../../store/standing.ts'
import { meaningOf, plainWord } from './row-standing.ts'

/** What a report says: gone, or nothing that has to be acted upon. */
export type Verdict = Departure | 'harmless'

/** What services write beside the words for those who left. */
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
 * What a cell of a report means: a word, or a code of RFC 3463 or RFC 5321 alone or before a text.
 * 5.7 speaks of the sender, not of the mailbox: on a bad day a block list would empty the list.
 *
 * @returns `undefined` for what says nothing.
 */
export function verdictOf(cell: string): Verdict | undefined {
  const text = cell.trim().slice(0, 1000)
  const [, status] = /^(?:\d{3}[ -])?(\d\.\d{1,3}\.\d{1,3})(?!\d)/.exec(text) ?? []
  if (status) return status.startsWith('5.') && !status.startsWith('5.7.') ? 'bounced' : 'harmless'
  const [, reply] = /^([245]\d{2})(?:[ -]|$)/.exec(text) ?? []
  if (reply) return reply.startsWith('5') ? 'bounced' : 'harmless'
  const word = plainWord(text)
  if (harmless.has(word)) return 'harmless'
  // A yes or a no answers a question that is not asked here.
  const meaning = /^(?:|true|false|yes|no|[01])$/.test(word) ? undefined : meaningOf(word)
  return meaning === 'subscribed' || meaning === 'unconfirmed' ? undefined : meaning
}
