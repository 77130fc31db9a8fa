import { lookup } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type OpeningBody, paths } from '../../shared/api.ts'
import type { Finding } from '../../shared/finding.ts'
import { pageIn } from '../../shared/page-in.ts'
import { plainLine } from '../../shared/plain-line.ts'
import { spokenInBoth } from '../../shared/zoned-time.ts'
import { isOpen, type Opening } from '../../store/opening.ts'

const WHAT = 'Page'
const WAIT_MS = 15_000
/** A page that was turned a moment ago is not taken for one that is not. */
const TRIES = 4
const TRY_AGAIN_MS = 1000
/** More than any page of ours. */
const MOST_CHARACTERS = 1_000_000

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface OpeningLook {
  /** Nothing is to be sent now: then a page may open later. */
  readonly isDryRun?: boolean | undefined
  /** An earlier wave of the same announcement found the page open. */
  readonly wasOpen?: boolean | undefined
  readonly tryAgainMs?: number
}

/**
 * Whether the page that visitors find is open, looked at as a stranger does. Letters that lead people
 * to "Coming Soon" are not to be had back.
 *
 * @param publicUrl where they find it, without a slash at the end.
 */
export async function checkOpening(
  opening: Opening | undefined,
  publicUrl: string | undefined,
  { isDryRun = false, wasOpen = false, tryAgainMs = TRY_AGAIN_MS }: OpeningLook = {},
): Promise<Finding> {
  if (!opening)
    return wasOpen
      ? checkTakenBack(publicUrl, tryAgainMs)
      : note('says Coming Soon; the command "open" with an address turns it: docs/opening.md')
  if (!isOpen(opening, new Date())) {
    const ahead = `opens ${spokenInBoth(opening.at, opening.zone)}, and says Coming Soon until then`
    return isDryRun ? note(`${ahead}; nothing is sent before`) : problem(ahead)
  }
  if (!publicUrl)
    return problem('PUBLIC_URL is not set, so nobody can look whether visitors see it open')

  for (let tries = 1; ; tries += 1) {
    const wrong = await whatStandsInTheWay(publicUrl, opening.url)
    if (wrong === undefined)
      return { what: WHAT, verdict: 'fine', detail: `${publicUrl} is open for who comes there` }
    if (tries === TRIES || !wrong.mayPass) return problem(wrong.detail)
    await sleep(tryAgainMs)
  }
}

const problem = (detail: string): Finding => ({ what: WHAT, verdict: 'problem', detail })
const note = (detail: string): Finding => ({ what: WHAT, verdict: 'note', detail })

/**
 * The opening was taken back since an earlier wave. Where the product has the domain by now, nobody
 * sees our page.
 */
async function checkTakenBack(site: string | undefined, tryAgainMs: number): Promise<Finding> {
  const since = 'it was open at an earlier wave'
  if (!site) return problem(`says Coming Soon: ${since}, and PUBLIC_URL is not set now`)
  for (let tries = 1; ; tries += 1) {
    const found = await get(`${site}/?opening-bell=${Date.now()}`)
    if (typeof found === 'string') return problem(`${since}, and now ${found}`)
    const { page } = pageIn(found.text)
    if (page === 'coming-soon')
      return problem(
        `${site} says Coming Soon again: ${since}. The command "open" with an address turns it`,
      )
    // A server turns its page a second after the command.
    if (page === 'open' && tries < TRIES) await sleep(tryAgainMs)
    else return note(`nothing is set to open here, and ${site} says otherwise: ${since}`)
  }
}

interface Obstacle {
  readonly detail: string
  /** Whether it may be gone in a second. */
  readonly mayPass?: boolean
}

async function whatStandsInTheWay(site: string, url: string): Promise<Obstacle | undefined> {
  const found = await get(`${site}/`)
  if (typeof found === 'string') return { detail: found }
  const shown = found.status === 200 ? pageIn(found.text) : ({ page: 'other' } as const)
  if (shown.page === 'open' && shown.url === url) return undefined

  const cache = cacheIn(found.headers)
  // A question that nobody asked before is answered by no cache.
  const beyond = await get(`${site}/?opening-bell=${Date.now()}`)
  const isBeyondOpen =
    typeof beyond !== 'string' && hasUrl(pageIn(beyond.text), url) && beyond.status === 200
  if (isBeyondOpen)
    return {
      detail: `${site} is still served from a cache${cache && ` (${cache})`}, in front of a server that is open: purge it, or have it ask again each time (cache-control: no-cache)`,
      // It may have turned between the two looks.
      mayPass: true,
    }
  if (shown.page === 'open')
    return {
      detail: `the button at ${site} leads to ${plainLine(shown.url)}, and ${url} is set: it is an old copy${cache && ` (${cache})`}, or another server`,
      mayPass: true,
    }
  if (shown.page === 'other')
    return {
      detail: `${site} answers ${found.status} with something else than our page; ${await addressesOf(site)}: is that your server, and has the DNS changed everywhere?`,
    }
  // It may be turning at this moment, or a cache answers also what nobody asked before.
  if ((await openingAt(site))?.open === url)
    return {
      detail: `${site} says Coming Soon, and its own server says that it is open: a cache in between has the old page${cache && ` (${cache})`}: purge it`,
      mayPass: true,
    }
  return whyComingSoon(site)
}

const hasUrl = (shown: ReturnType<typeof pageIn>, url: string) =>
  shown.page === 'open' && shown.url === url

/** Our page says Coming Soon, and no cache is why. */
async function whyComingSoon(site: string): Promise<Obstacle> {
  const said = await openingAt(site)
  const where = await addressesOf(site)
  if (!said)
    return {
      detail: `${site} says Coming Soon, and knows nothing of opening: an old build, or one for Firebase without --open; ${where}. Update and start it again, or build and deploy it`,
    }
  return {
    detail: `${site} says Coming Soon: what answers there has another store than this command, or is built for Firebase without --open; ${where}. Is it that server (DATA_DIR, STORE), and does it run?`,
    mayPass: true,
  }
}

async function openingAt(site: string): Promise<OpeningBody | undefined> {
  const answer = await get(`${site}${paths.opening}?opening-bell=${Date.now()}`)
  if (typeof answer === 'string' || answer.status !== 200) return undefined
  try {
    const body: unknown = JSON.parse(answer.text)
    return typeof body === 'object' && body !== null ? (body as OpeningBody) : undefined
  } catch {
    return undefined
  }
}

/** As a browser would. @returns what is wrong, in a sentence, if nobody answers. */
async function get(url: string): Promise<Answer | string> {
  try {
    const answer = await fetch(url, {
      headers: {
        accept: 'text/html,*/*',
        'user-agent': 'Mozilla/5.0 (compatible; opening-bell-bot)',
      },
      signal: AbortSignal.timeout(WAIT_MS),
    })
    const text = await start(answer)
    return { status: answer.status, headers: answer.headers, text }
  } catch (error) {
    const { cause, message } = error as Error
    const { code } = (cause ?? {}) as NodeJS.ErrnoException
    const { host } = new URL(url)
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      return `${host} is not in the DNS, or not yet from here (${code})`
    const reason = plainLine(cause instanceof Error ? cause.message : message)
    return `${host} cannot be reached: ${reason}`
  }
}

async function start(answer: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > MOST_CHARACTERS) break
  }
  return text
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

async function addressesOf(site: string): Promise<string> {
  const { hostname } = new URL(site)
  const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => [])
  const addresses = found.map(({ address }) => address).slice(0, 4)
  return addresses.length > 0
    ? `from here it is at ${addresses.join(', ')}`
    : 'it is not in the DNS'
}
