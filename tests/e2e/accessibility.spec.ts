import { isLong } from '../torture/form.ts'
import { axeFindings } from './accessibility.ts'
import { expect, long, SAME, SERVER, test } from './fixtures.ts'
import {
  INVALID,
  openPage,
  openPageWithoutScript,
  openSplashAt,
  PAGE_SCRIPT,
  signUp,
  THANK_YOU,
} from './page.ts'
import { everyState, REFUSED } from './states.ts'

test.describe('axe finds nothing', () => {
  test('in the splash', SAME, async ({ page, site }) => {
    await openSplashAt(page, site.url, 3700)
    expect(await axeFindings(page)).toEqual([])
  })

  test('in any state of the form on a phone', SAME, async ({ page, site, browserConsole }) => {
    browserConsole.expect(REFUSED)
    await page.setViewportSize({ width: 360, height: 800 })
    for await (const state of everyState(page, site.url)) {
      // The messages differ in their words alone.
      if (!isLong && /no database|write failed/.test(state)) continue
      expect(await axeFindings(page, { contrast: 'AAA' }), state).toEqual([])
    }
  })

  test('in the page on a laptop', SAME, async ({ page, site }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await openPage(page, site.url)
    expect(await axeFindings(page)).toEqual([])
  })

  test.describe('in the pages that answer a form without script:', SERVER, () => {
    long('an error and the thanks', async ({ page, site, browserConsole }) => {
      // Axe is a script itself, so the page's own is withheld instead of all.
      browserConsole.expect(/Failed to load resource: net::ERR_FAILED/)
      browserConsole.expect(/Failed to load resource.*422/)
      await page.route(PAGE_SCRIPT, (route) => route.abort())
      await openPageWithoutScript(page, site.url)
      const { status, submit } = signUp(page)

      await submit('nobody')
      await expect(status).toHaveText(INVALID)
      expect(await axeFindings(page), INVALID).toEqual([])

      await submit('visitor@example.com')
      await expect(status).toHaveText(THANK_YOU)
      expect(await axeFindings(page), THANK_YOU).toEqual([])
    })
  })
})
