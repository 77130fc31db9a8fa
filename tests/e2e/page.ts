import { type CDPSession, expect, type Page, type Request } from '@playwright/test'
import { stopTime as stopTimeOf } from '../../scripts/chromium/splash-time.ts'
import { paths } from '../../src/shared/api.ts'

// Written out once more: the words are the specification's, whatever the page's source says.
export const THANK_YOU = "Thank you! We'll be in touch."
export const INVALID = 'Please enter a valid email address.'
export const NO_DATABASE = 'Database not connected. Please try again later.'
export const FAILED = 'Could not subscribe at this time. Please try again later.'

/** The page's calls, by their URLs in either mode. */
export const CONFIG = `**${paths.config}`
export const SIGN_IN = /\/api\/session$|\/accounts:signUp\?/
/** The last one of signing in. */
const SIGNED_IN = /\/api\/session$|\/accounts:lookup\?/
export const SUBSCRIBE = /\/api\/subscribers$|\/documents:commit/

/**
 * Opens the page, sits through the splash, which the browser plays to its end at once, and waits
 * until the script has taken over: it asks for its configuration in the task in which it does so.
 */
export async function openPage(page: Page, url: string) {
  const takenOver = page.waitForRequest(CONFIG)
  await openPageWithoutScript(page, url)
  await takenOver
}

/** The same where the script is late, does not come or may not run. */
export async function openPageWithoutScript(page: Page, url: string) {
  await page.goto(url, { waitUntil: 'commit' })
  await endSplash(page)
}

/** The same, and waits until the page has signed in. */
export async function openConnectedPage(page: Page, url: string) {
  const signedIn = page.waitForResponse(
    (response) => isPost(response.request(), SIGNED_IN) && response.ok(),
  )
  await openPage(page, url)
  await signedIn
}

/**
 * Takes every animation to its end, as the browser's own animation panel can. On a busy machine the
 * splash may have come to it by itself.
 */
export async function endSplash(page: Page) {
  const isOver = () =>
    page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish()
      // The page beneath comes after the splash, and has an animation of its own that keeps it out of reach.
      if (document.readyState === 'loading') return false
      const splash = document.getElementById('splash')
      return !splash || getComputedStyle(splash).visibility === 'hidden'
    })
  await expect.poll(isOver).toBe(true)
}

const protocols = new Set<CDPSession>()

/** Speaks the browser's own protocol with this page, until the test ends. */
export async function protocolOf(page: Page): Promise<CDPSession> {
  const protocol = await page.context().newCDPSession(page)
  protocols.add(protocol)
  return protocol
}

/** Ends them all, and what they have set: the next test has the same page. */
export async function endProtocols() {
  for (const protocol of protocols) await protocol.detach().catch(() => {})
  protocols.clear()
}

/** Opens the page and holds the splash as it is so many milliseconds after it began. */
export async function openSplashAt(page: Page, url: string, time: number) {
  // With time standing still from the start, no animation is over before it is looked at.
  await stopTime(page)
  await page.goto(url)
  await moveSplashTo(page, time)
}

/** The same for this page, until the test ends. */
export const stopTime = async (page: Page) => stopTimeOf(await protocolOf(page))

/** Moves the splash on, after `openSplashAt`. */
export async function moveSplashTo(page: Page, time: number) {
  await page.evaluate((time) => {
    for (const animation of document.getAnimations()) animation.currentTime = time
  }, time)
}

/** What the form says and is found by; that of another language has words of its own. */
export const english = {
  offer: 'Be the first to know when we go live',
  label: 'Email address',
  submitting: 'Submitting...',
  subscribed: THANK_YOU,
  invalidEmail: INVALID,
  databaseUnavailable: NO_DATABASE,
  failed: FAILED,
}

/** The sign-up form, found as a visitor finds it. */
export function signUp(page: Page, words = english) {
  const form = page.getByRole('form', { name: words.offer })
  const email = form.getByRole('textbox', { name: words.label })
  const button = form.getByRole('button')
  return {
    form,
    email,
    button,
    status: form.getByRole('status'),

    async submit(address: string) {
      await email.fill(address)
      await button.click()
    },
  }
}

/** The posts to such URLs, from now on. */
export function postsTo(page: Page, url: RegExp): Request[] {
  const posts: Request[] = []
  page.on('request', (request) => {
    if (isPost(request, url)) posts.push(request)
  })
  return posts
}

function isPost(request: Request, url: RegExp) {
  return request.method() === 'POST' && url.test(request.url())
}

/**
 * As `page.route`, for a page that is open already: it hears of this from another process, and a key
 * pressed at once would get ahead.
 */
export async function routeFromNow(page: Page, ...how: Parameters<Page['route']>) {
  await page.route(...how)
  // After all that the page was told before.
  await page.evaluate(() => scheduler.postTask(() => {}, { priority: 'background' }))
}

/** Holds back whatever matches, until the returned function lets it go. */
export async function holdBack(page: Page, pattern: string | RegExp) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await routeFromNow(page, pattern, async (route) => {
    await released
    // To whoever else plays the network in this test.
    await route.fallback()
  })
  return release
}

export const PAGE_SCRIPT = '**/assets/*.js'

/** What the document's `meta` tags say, by name or property. */
export async function metaOf(page: Page): Promise<Record<string, string>> {
  const tags = await page
    .locator('meta[content]')
    .evaluateAll((tags) =>
      tags.map((tag) => [
        tag.getAttribute('name') ?? tag.getAttribute('property'),
        tag.getAttribute('content'),
      ]),
    )
  return Object.fromEntries(tags)
}

/** Width and height of a picture, as the browser reads it. */
export function sizeOf(page: Page, url: string) {
  return page.evaluate(async (url) => {
    const image = new Image()
    image.src = url
    await image.decode()
    return [image.naturalWidth, image.naturalHeight]
  }, url)
}

/** A browser that says of itself that it has no screen is taken for a program. */
export const WITH_A_SCREEN =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

/** Waits until the session is as old as somebody makes it who looks at the page first. */
export async function lookAround(page: Page, ms: number) {
  const age = async () => {
    const cookies = await page.context().cookies()
    const [uid = ''] = (cookies.find(({ name }) => name === 'session')?.value ?? '').split('.')
    const digits = uid.replaceAll('-', '').slice(0, 12)
    return digits === '' ? 0 : Date.now() - Number.parseInt(digits, 16)
  }
  await expect.poll(age).toBeGreaterThan(ms)
}

/** How many pixels the page is wider than the window. Chromium counts the place of a scrollbar to the window alone. */
export const sidewaysRoom = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return Math.max(0, scrollWidth - clientWidth)
  })
