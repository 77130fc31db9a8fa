import { lookup } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type OpeningBody, paths } from '../shared/api.ts'
import type { Found, FoundCode, FoundOf } from '../shared/found.ts'
import { plainLine } from '../shared/plain-line.ts'
import { isOpen, type Opening } from '../store/opening.ts'
import { objectIn } from '../store/stored-json.ts'
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
 * @param publicUrl the page's address, without a slash at the end.
 */
export async function checkOpening(
  opening: Opening | undefined,
  publicUrl: string | undefined,
  { isDryRun = false, wasOpen = false, tryAgainMs = TRY_AGAIN_MS }: OpeningLook = {},
): Promise<Found> {
  if (!opening)
    return wasOpen
      ? checkTakenBack(publicUrl, tryAgainMs)
      : { code: 'page-not-set', verdict: 'note' }
  if (!isOpen(opening, new Date())) {
    const verdict = isDryRun ? 'note' : 'problem'
    return { code: 'page-not-yet', verdict, at: opening.at.getTime(), zone: opening.zone }
  }
  if (!publicUrl) return { code: 'page-no-url', verdict: 'problem' }

  for (let tries = 1; ; tries += 1) {
    const wrong = await whatStandsInTheWay(publicUrl, opening.url)
    if (wrong === undefined) return { code: 'page-open', verdict: 'fine', site: publicUrl }
    if (tries === TRIES || !mayPass.has(wrong.code)) return wrong
    await sleep(tryAgainMs)
  }
}

/** Findings that may be over in a second, since the page may have changed between two looks. */
const mayPass: ReadonlySet<string> = new Set<FoundCode>([
  'page-cached',
  'page-cached-everywhere',
  'page-other-button',
  'page-other-store',
])

/**
 * The opening was taken back since letters left. If the product has the domain by now, our page
 * is not seen any more.
 */
async function checkTakenBack(site: string | undefined, tryAgainMs: number): Promise<Found> {
  if (!site) return { code: 'page-no-url-now', verdict: 'problem' }
  for (let tries = 1; ; tries += 1) {
    const answer = await askBeyondCaches(`${site}/`)
    if (answer.status === 0) return { ...awayFound(site, answer), wasOpen: true }
    const { page } = pageIn(answer.text)
    if (page === 'coming-soon') return { code: 'page-closed-again', verdict: 'problem', site }
    // A server changes its page within a second of the command.
    if (page === 'open' && tries < TRIES) await sleep(tryAgainMs)
    else return { code: 'page-otherwise', verdict: 'note', site }
  }
}

async function whatStandsInTheWay(site: string, url: string): Promise<Found | undefined> {
  const verdict = 'problem'
  const answer = await ask(`${site}/`)
  const { status, headers } = answer
  if (status === 0) return awayFound(site, answer)
  const shown = shownBy(answer)
  if (leadsTo(shown, url)) return undefined

  const cache = cacheIn(headers)
  if (leadsTo(shownBy(await askBeyondCaches(`${site}/`)), url))
    return { code: 'page-cached', verdict, site, cache }
  if (shown.page === 'open')
    return { code: 'page-other-button', verdict, site, about: plainLine(shown.url), url, cache }
  const at = { verdict, site, status, addresses: await addressesOf(site) } as const
  if (shown.page === 'other') return { code: 'page-other-site', ...at }
  // The page may be changing at this moment, or a cache ignores queries.
  const opening = await askBeyondCaches(site + paths.opening)
  const said: OpeningBody | undefined = opening.status === 200 ? objectIn(opening.text) : undefined
  if (said?.open === url) return { code: 'page-cached-everywhere', verdict, site, cache }
  return { code: said ? 'page-other-store' : 'page-old-build', ...at }
}

/** No cache has an answer to a new query. */
const askBeyondCaches = (url: string) => ask(`${url}?opening-bell=${Date.now()}`)

const shownBy = ({ status, text }: Answer): PageIn =>
  status === 200 ? pageIn(text) : { page: 'other' }

const leadsTo = (shown: PageIn, url: string) => shown.page === 'open' && shown.url === url

/** Where nobody answers. */
function awayFound(site: string, { why, isUnknown }: Answer): FoundOf<'page-away'> {
  const { host } = new URL(site)
  return { code: 'page-away', verdict: 'problem', host, isUnknown, answer: why }
}

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
