import type { Departure } from '../store/standing.ts'
import { refusalOf } from './refusal.ts'
import data from './refusals.json' with { type: 'json' }
import { meaningOf, plainWord } from './row-standing.ts'

/** The meaning of a row: a standing, a mailbox that takes nothing now, or nothing to do. */
export type Verdict = Departure | 'full' | 'harmless'

/** A provider's word for what happened; `blocked` is about the sender, the message or the route. */
type Word = keyof typeof data.providers

const words = new Map(
  Object.entries(data.providers).flatMap(([word, names]) =>
    names.map((name) => [plainWord(name), word as Word] as const),
  ),
)

/**
 * What a provider's row says. Its word decides where nothing failed, or where it is the reader's own
 * no; else the answer of the mail server, if it says anything specific, and then again the word.
 *
 * @param cells most specific first. @param prose what the provider says of all such rows.
 * @param domain the recipient's. @returns `undefined` for a row that gives no reason.
 */
export function verdictOf(
  cells: readonly string[],
  prose: string,
  domain: string,
): Verdict | undefined {
  const found = cells.flatMap((cell) => wordIn(cell) ?? [])
  const [first] = found
  if (first === 'harmless' || first === 'complained' || first === 'unsubscribed') return first
  const answer = cells.filter((cell) => !wordIn(cell)).join(' ')
  const refusal =
    refusalOf(answer, domain) ??
    (['full', 'blocked', 'bounced'] as const).find((word) => found.includes(word)) ??
    refusalOf(prose, domain)
  if (refusal) return verdicts[refusal]
  return CODE.test(answer) ? 'harmless' : undefined
}

const verdicts = {
  gone: 'bounced',
  bounced: 'bounced',
  full: 'full',
  other: 'harmless',
  blocked: 'harmless',
} as const

/** A code of RFC 5321 or RFC 3463, which alone is not specific. */
const CODE = /(?<![\d.])[245](?:\d\d|\.\d+\.\d+)(?![\d.])/

/** Also a status of an export, such as `cleaned`; a yes or a no is no reason. */
function wordIn(cell: string): Word | undefined {
  const word = plainWord(cell)
  const meaning = /^(?:|true|false|yes|no|[01])$/.test(word) ? undefined : meaningOf(word)
  const isReason = meaning === 'unsubscribed' || meaning === 'bounced' || meaning === 'complained'
  return words.get(word) ?? (isReason ? meaning : undefined)
}
