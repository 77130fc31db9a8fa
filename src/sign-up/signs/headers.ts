import type { Judge } from './attempt.ts'
import names from './programs.json' with { type: 'json' }

const anyOf = (words: string) => words.replaceAll(' ', '|')
/** What programs that are no browser call themselves in the `User-Agent`. */
const PROGRAM = new RegExp(
  `^(?:${anyOf(names['at the start'])})|${anyOf(names['browsers without a screen'])}`,
  'i',
)

/** The `User-Agent` is that of a program. It is not stored; a missing one is no sign. */
export const program: Judge = ({ headers }) =>
  PROGRAM.test(String(headers['user-agent'] ?? '')) ? 'enough' : undefined

/**
 * Headers that no browser sends: none about language and none about where the request comes from, or
 * half of those about where it comes from. Browsers from before 2023 (Safari 16.3), and all
 * browsers on plain http, send none of the latter. Every browser sends its language, and even
 * proxies that strip headers let it through, as Squid's strictest example does.
 */
export const headers: Judge = ({ headers }) => {
  const hasSite = headers['sec-fetch-site'] !== undefined
  const hasMode = headers['sec-fetch-mode'] !== undefined
  if (hasSite !== hasMode) return 'hint'
  return !hasSite && !headers['accept-language'] ? 'hint' : undefined
}
