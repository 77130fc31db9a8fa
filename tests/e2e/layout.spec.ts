import type { Page } from '@playwright/test'
import product from '../../product.config.ts'
import { expect, long, SAME, test } from './fixtures.ts'
import { endSplash, openPage, sidewaysRoom, signUp } from './page.ts'
import { serveInPieces } from './pieces.ts'
import { everyState, REFUSED } from './states.ts'
import { expectNothingMoves, layoutShifts } from './stillness.ts'

const SCREENS = {
  'a phone of 320 px': { viewport: { width: 320, height: 568 } },
  'a phone on its side': { viewport: { width: 568, height: 320 } },
  'a laptop of 1280 px at 200 %': { viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 },
  'a large screen': { viewport: { width: 2560, height: 1440 } },
}

for (const [screen, device] of Object.entries(SCREENS)) {
  test.describe(`on ${screen}`, () => {
    test.use(device)

    const one = /320|200/.test(screen) ? test : long
    one(
      'everything fits and can be reached, with no scrolling sideways',
      SAME,
      async ({ page, site, browserConsole }) => {
        browserConsole.expect(REFUSED)
        const { email, button, status } = signUp(page)
        const all = [
          page.getByRole('img', { name: product.name }),
          page.getByRole('heading', { name: 'Coming Soon' }),
          page.getByText(product.pitch),
          page.getByText('Be the first to know'),
          email,
          button,
          status,
        ]
        for await (const state of everyState(page, site.url)) {
          expect(await sidewaysRoom(page), state).toBe(0)
          for (const element of all) {
            await element.scrollIntoViewIfNeeded()
            // Not 1: half a pixel may be lost to rounding.
            await expect(element, state).toBeInViewport({ ratio: 0.98 })
          }
        }
      },
    )

    test(
      'text in field and button has at least 16 px, and the page is no wider than the screen',
      SAME,
      async ({ page, site }) => {
        await openPage(page, site.url)
        expect(await sidewaysRoom(page)).toBe(0)
        const { email, button } = signUp(page)
        for (const control of [email, button]) {
          const size = await control.evaluate((element) => getComputedStyle(element).fontSize)
          expect(Number.parseFloat(size)).toBeGreaterThanOrEqual(16)
        }
      },
    )
  })
}

for (const [width, once] of [
  [320, {}],
  [360, SAME],
  [1440, SAME],
] as const) {
  test.describe(`at ${width} px`, once, () => {
    test.use({ viewport: { width, height: 800 } })

    test('nothing moves, from the first paint to the last state', async ({
      page,
      site,
      browserConsole,
    }) => {
      browserConsole.expect(REFUSED)
      await expectNothingMoves(page, site.url)
    })
  })
}

/** As a browser sees it that does not know how to wait for the whole page. */
const withoutWaiting = (html: string) => html.replace(/<link rel="expect"[^>]*>/, '')

test(
  'a page that comes in pieces is first painted when it is whole',
  SAME,
  async ({ page, site, browser }) => {
    const pieces = await serveInPieces(site.url, ['</form'])
    await page.goto(pieces.url, { waitUntil: 'commit' })
    await expect(page.locator('button')).toHaveCount(1)

    // By now it would have been painted: another one is, that came later.
    const others = await serveInPieces(site.url, ['</form'], withoutWaiting)
    const other = await browser.newPage()
    await other.goto(others.url, { waitUntil: 'commit' })
    await expect.poll(() => firstPaint(other)).toBeDefined()
    await other.close()

    expect(await firstPaint(page)).toBeUndefined()
    pieces.sendNext()
    await expect.poll(() => firstPaint(page)).toBeDefined()
    pieces.close()
    others.close()
  },
)

test('nothing moves either where a browser paints the pieces', SAME, async ({ page, site }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  const marks = ['<main', '<form', '<button', '</form']
  const pieces = await serveInPieces(site.url, marks, withoutWaiting)
  await page.goto(pieces.url, { waitUntil: 'commit' })
  await expect.poll(() => firstPaint(page)).toBeDefined()
  while (pieces.sendNext()) await layoutShifts(page)
  await endSplash(page)
  expect(await layoutShifts(page)).toEqual([])
  pieces.close()
})

function firstPaint(page: Page) {
  return page.evaluate(() => performance.getEntriesByName('first-paint')[0]?.startTime)
}
