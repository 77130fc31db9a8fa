import { lookup } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type OpeningBody, paths } from '../shared/api.ts'
import type { Finding, FindingCode } from '../shared/finding.ts'
import { plainLine } from '../shared/plain-line.ts'
import { objectIn } from '../shared/stored-json.ts'
import { isOpen, type Opening } from '../store/opening.ts'
import { type Answer, ask } from './ask.ts'
import { type PageIn, pageIn } from './elements.ts'

/** A page that was just opened may need a moment, so it is looked at again. */
const TRIES = 4
const TRY_AGAIN_MS = 1000

export interface OpeningLook {
  /** Nothing is sent now, so the page may open later. */
  readonly isDryRun?: boolean | undefined
  /** Letters of the same announcement left while the page was open. */
  readonly wasOpen?: boolean | undefined
  readonly tryAgainMs?: number
}

/**
 * Checks as a visitor whether the page is open: letters that lead people to "Coming Soon" cannot be
 * taken back.
 *
 * @param site the page's address, without a slash at the end.
 */
export async function checkOpening(
  opening: Opening | undefined,
  site: string | undefined,
  { isDryRun = false, wasOpen = false, tryAgainMs = TRY_AGAIN_MS }: OpeningLook = {},
): Promise<Finding> {
  if (!opening && !wasOpen) return { code: 'page-not-set', verdict: 'note' }
  if (opening && !isOpen(opening, new Date())) {
    const verdict = isDryRun ? 'note' : 'problem'
    return { code: 'page-not-yet', verdict, at: opening.at.getTime(), zone: opening.zone }
  }
  if (!site) return { code: opening ? 'page-no-url' : 'page-no-url-now', verdict: 'problem' }

  for (let tries = 1; ; tries += 1) {
    const found = await (opening ? pageFound(site, opening.url) : closedFound(site))
    if (tries === TRIES || !mayPass.has(found.code)) return found
    await sleep(tryAgainMs)
  }
}

/** Findings that may be over in a second, since the page may have changed between two looks. */
const mayPass: ReadonlySet<string> = new Set<FindingCode>([
  'page-cached',
  'page-other-button',
  'page-other-store',
  'page-otherwise',
])

/**
 * The opening was taken back since letters left. If the product has the domain by now, our page
 * is not seen any more.
 */
async function closedFound(site: string): Promise<Finding> {
  const { status, text, why } = await askBeyondCaches(`${site}/`)
  if (status === 0) return { ...awayFound(site, why), wasOpen: true }
  return pageIn(text).page === 'coming-soon'
    ? { code: 'page-closed-again', verdict: 'problem', site }
    : { code: 'page-otherwise', verdict: 'note', site }
}

async function pageFound(site: string, url: string): Promise<Finding> {
  const answer = await ask(`${site}/`)
  const { status, headers, why } = answer
  if (status === 0) return awayFound(site, why)
  const shown = shownBy(answer)
  const isRight = (page: PageIn) => page.page === 'open' && page.url === url
  if (isRight(shown)) return { code: 'page-open', verdict: 'fine', site }

  const verdict = 'problem'
  const cache = cacheIn(headers)
  const cached = { code: 'page-cached', verdict, site, cache } as const
  if (isRight(shownBy(await askBeyondCaches(`${site}/`)))) return cached
  if (shown.page === 'open')
    return { code: 'page-other-button', verdict, site, about: plainLine(shown.url), url, cache }
  const at = { verdict, site, status, addresses: await addressesOf(site) } as const
  if (shown.page === 'other') return { code: 'page-other-site', ...at }
  // The page may be changing at this moment, or a cache ignores queries.
  const opening = await askBeyondCaches(site + paths.opening)
  const said: OpeningBody | undefined = opening.status === 200 ? objectIn(opening.text) : undefined
  if (said?.open === url) return cached
  return { code: said ? 'page-other-store' : 'page-old-build', ...at }
}

/** No cache has an answer to a new query. */
const askBeyondCaches = (url: string) => ask(`${url}?opening-bell=${Date.now()}`)

const shownBy = ({ status, text }: Answer): PageIn =>
  status === 200 ? pageIn(text) : { page: 'other' }

/** Where nobody answers. */
const awayFound = (site: string, answer: string) =>
  ({ code: 'page-away', verdict: 'problem', host: new URL(site).host, answer }) as const

/** What an answer's headers say of a cache that it came through. */
function cacheIn(headers: Headers): string {
  const names = ['age', 'cf-cache-status', 'x-cache', 'cache-status', 'x-vercel-cache', 'via']
  return names
    .flatMap((name) => {
      const value = headers.get(name)
      return value && value !== '0' ? `${name}: ${plainLine(value, 60)}` : []
    })
    .join(', ')
}

async function addressesOf(site: string): Promise<string[]> {
  const { hostname } = new URL(site)
  const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => [])
  return found.map(({ address }) => address).slice(0, 4)
}
