import type { Departure } from '../../store/standing.ts'

/** What a word says of somebody: may be written to, never confirmed, or gone. */
type Meaning = 'subscribed' | 'unconfirmed' | Departure

const meanings: Readonly<Record<Meaning, string>> = {
  subscribed:
    'subscribed active confirmed enabled regular premium paid free gifted trialed churned past_due ' +
    'cold deliverable risky disposable verified invited joined waiting applied true yes 1',
  unconfirmed: 'unconfirmed unactivated inactive pending',
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

/** What services call the same thing differs in hyphens, blanks and capitals. */
export function plainWord(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** @returns `undefined` for a word that no service we know uses. */
export function meaningOf(word: string): Meaning | undefined {
  return word.trim() === '' ? 'subscribed' : known.get(plainWord(word))
}

/** Columns that are filled for those alone who left, with a time or with a yes. */
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

/** What a cell says: those of JSON may be anything. */
export function textOf(cell: unknown): string {
  return typeof cell === 'string' ? cell : cell == null ? '' : JSON.stringify(cell)
}
