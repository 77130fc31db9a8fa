import type { Look } from './attempt.ts'

/** How programs name themselves that are no browser, at the start of their `User-Agent`. */
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
/** How browsers name themselves that are run without a screen. */
const withoutScreen = ['headlesschrome', 'phantomjs']
const PROGRAM = new RegExp(`^(?:${programs.join('|')})|${withoutScreen.join('|')}`, 'i')

/** The `User-Agent` is that of a program. It is looked at and kept nowhere; a missing one is no sign. */
export const program: Look = ({ headers }) =>
  PROGRAM.test(String(headers['user-agent'] ?? '')) ? 'enough' : undefined

/**
 * Headers that no browser sends: none about language and none about where the request comes from, or
 * half of those about where it comes from. Browsers from before 2023 (Safari 16.3) send none of the
 * latter, nor does any on plain http. Every browser sends its language, and a proxy that strips
 * headers lets it through, as Squid's strictest example does.
 */
export const headers: Look = ({ headers }) => {
  const hasSite = headers['sec-fetch-site'] !== undefined
  const hasMode = headers['sec-fetch-mode'] !== undefined
  if (hasSite !== hasMode) return 'hint'
  return !hasSite && !headers['accept-language'] ? 'hint' : undefined
}
