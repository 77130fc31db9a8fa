import type { Look } from './attempt.ts'

/** The names of programs that are no browser, at the start of the `User-Agent`. */
const programs = [
  ...[
    'curl',
    'wget',
    'python',
    'aiohttp',
    'httpx',
    'scrapy',
    'go-http-client',
    'okhttp',
    'java\\/',
  ],
  ...[
    'apache-httpclient',
    'node',
    'undici',
    'axios',
    'got',
    'ruby',
    'libwww-perl',
    'php',
    'guzzle',
  ],
  ...['postman', 'insomnia'],
]
/** The names of browsers without a screen. */
const withoutScreen = ['headlesschrome', 'phantomjs']
const PROGRAM = new RegExp(`^(?:${programs.join('|')})|${withoutScreen.join('|')}`, 'i')

/** The `User-Agent` is that of a program. It is not stored; a missing one is no sign. */
export const program: Look = ({ headers }) =>
  PROGRAM.test(String(headers['user-agent'] ?? '')) ? 'enough' : undefined

/**
 * Headers that no browser sends: none about language and none about where the request comes from, or
 * half of those about where it comes from. Browsers from before 2023 (Safari 16.3), and all
 * browsers on plain http, send none of the latter. Every browser sends its language, and even
 * proxies that strip headers let it through, as Squid's strictest example does.
 */
export const headers: Look = ({ headers }) => {
  const hasSite = headers['sec-fetch-site'] !== undefined
  const hasMode = headers['sec-fetch-mode'] !== undefined
  if (hasSite !== hasMode) return 'hint'
  return !hasSite && !headers['accept-language'] ? 'hint' : undefined
}
