import { refusalOf } from './refusal.ts'
import data from './refusals.json' with { type: 'json' }
import { meaningOf, plainWord } from './row-standing.ts'

/** The meaning of a row: a reader's own no, what a refusal is about, or that nothing failed. */
export type Verdict = keyof typeof data.providers

const words = new Map(
  Object.entries(data.providers).flatMap(([verdict, names]) =>
    names.map((name) => [plainWord(name), verdict as Verdict] as const),
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
  return (
    refusalOf(answer, domain) ??
    (['full', 'other', 'gone'] as const).find((word) => found.includes(word)) ??
    refusalOf(prose, domain) ??
    (CODE.test(answer) ? 'other' : undefined)
  )
}

/** A code of RFC 5321 or RFC 3463, which alone is not specific. */
const CODE = /(?<![\d.])[245](?:\d\d|\.\d+\.\d+)(?![\d.])/

/** Also a status of an export, such as `cleaned`; a yes or a no is no reason. */
function wordIn(cell: string): Verdict | undefined {
  const word = plainWord(cell)
  const meaning = /^(?:|true|false|yes|no|[01])$/.test(word) ? undefined : meaningOf(word)
  if (words.has(word)) return words.get(word)
  if (meaning === 'bounced') return 'gone'
  return meaning === 'unsubscribed' || meaning === 'complained' ? meaning : undefined
}
