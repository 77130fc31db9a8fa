import type { Departure } from '../store/standing.ts'
import type { ImportedStanding } from '../store/subscriber-list.ts'

/** The meaning of a status word: may be mailed, never confirmed, or a standing. */
type Meaning = 'subscribed' | 'unconfirmed' | ImportedStanding

const meanings: Readonly<Record<Meaning, string>> = {
  subscribed:
    'subscribed active confirmed enabled regular premium paid free gifted trialed churned past_due ' +
    'cold deliverable risky disposable verified invited joined waiting applied true yes 1',
  unconfirmed: 'unconfirmed unactivated inactive pending',
  quarantined: 'quarantined',
  unsubscribed:
    'unsubscribed unsubscribe canceled cancelled opted_out opt_out removed deleted archived disabled ' +
    'blocklisted blacklisted blocked suppressed manual_suppression declined left false no 0',
  bounced:
    'bounced bounce cleaned undeliverable invalid hard_bounce hard_bounced invalid_email bad_mailbox ' +
    'permanent',
  complained:
    'complained complaint spam spam_complaint spam_notification abuse marked_as_spam spam_report',
}

const known = new Map(
  Object.entries(meanings).flatMap(([meaning, words]) =>
    words.split(' ').map((word) => [plainWord(word), meaning as Meaning] as const),
  ),
)

/** Normalises a status word: services differ in hyphens, blanks and capitals. */
export function plainWord(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** @returns `undefined` for an unknown word. */
export function meaningOf(word: string): Meaning | undefined {
  return word.trim() === '' ? 'subscribed' : known.get(plainWord(word))
}

/** Columns that have a time or a yes only for those who left. */
export const leftColumns: ReadonlyMap<string, Departure> = new Map(
  Object.entries({
    unsubtime: 'unsubscribed',
    unsubscribed: 'unsubscribed',
    unsubscribedat: 'unsubscribed',
    unsubscribedate: 'unsubscribed',
    unsubscriptiondate: 'unsubscribed',
    emailoptout: 'unsubscribed',
    emailoptoutat: 'unsubscribed',
    emailblacklisted: 'unsubscribed',
    deletedat: 'unsubscribed',
    removeddate: 'unsubscribed',
    cancelledat: 'unsubscribed',
    cleantime: 'bounced',
    bouncedat: 'bounced',
    undeliverabilitydate: 'bounced',
    complainedat: 'complained',
  } as const),
)

/** Whether such a cell is filled. */
export function isFilled(cell: unknown): boolean {
  return !['', 'false', 'no', '0', 'null', 'none'].includes(textOf(cell).toLowerCase())
}

/** The text of a cell; in JSON it may be of any type. */
export function textOf(cell: unknown): string {
  return typeof cell === 'string' ? cell : cell == null ? '' : JSON.stringify(cell)
}
