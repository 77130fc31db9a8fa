import { paths } from '../../src/shared/api.ts'
import { expect, long, SAME, test } from './fixtures.ts'
import { CONFIG, FAILED, openConnectedPage, openPage, signUp } from './page.ts'

const PHONE =
  'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36'

for (const [where, device, seconds, once] of [
  ['on a desk', {}, 30, {}],
  ['on a phone', { userAgent: PHONE, isMobile: true, hasTouch: true }, 60, SAME],
] as const) {
  test.describe(where, once, () => {
    test.use(device)

    long(
      `a server that does not answer is waited for, but for ${seconds} s only`,
      async ({ page, ownSite, browserConsole }) => {
        browserConsole.expect(/Not connected/)
        await page.addInitScript(putTimeoutsOnTheClock)
        await page.clock.install({ time: 0 })
        await openConnectedPage(page, ownSite.url)
        await page.clock.pauseAt(10 * 60_000)
        await ownSite.pause()

        const { button, email, status, submit } = signUp(page)
        await submit('patient@example.com')
        await expect(button).toHaveText('Submitting...')
        await page.clock.runFor((seconds - 1) * 1000)
        await expect(button).toHaveText('Submitting...')
        await expect(email).toBeDisabled()

        await page.clock.runFor(1000)
        await expect(status).toHaveText(FAILED)
        await expect(email).toHaveValue('patient@example.com')
        await expect(email).toBeEditable()
        await expect(button).toBeEnabled()
        expect(browserConsole.lines.join()).not.toContain('patient')
      },
    )
  })
}

for (const [what, answersFirst] of [
  ['never comes', 'nothing'],
  ['fails, and then never comes', 'an error'],
] as const) {
  test(
    `a configuration that ${what} is waited for, but for 30 s only`,
    SAME,
    async ({ page, site, browserConsole }) => {
      browserConsole.expect(/Not connected/)
      if (answersFirst === 'an error')
        browserConsole.expect(/Failed to load resource: net::ERR_FAILED/)
      await page.addInitScript(putTimeoutsOnTheClock)
      await page.clock.install({ time: 0 })
      let asked = 0
      await page.route(CONFIG, async (route) => {
        asked += 1
        if (asked === 1 && answersFirst === 'an error') await route.abort()
      })
      await page.route(`**${paths.subscribe}`, () => {})
      await openPage(page, site.url)
      // Before the clock moves: the page would give up its first request by itself.
      if (answersFirst === 'an error')
        await expect.poll(() => browserConsole.lines.join()).toContain('ERR_FAILED')
      await page.clock.pauseAt(10 * 60_000)

      const { button, email, status, submit } = signUp(page)
      await submit('patient@example.com')
      await expect(button).toHaveText('Submitting...')
      // Before the clock moves again: a request that is given up at once never reaches us.
      await expect.poll(() => asked).toBe(2)
      await page.clock.runFor(29_000)
      await expect(button).toHaveText('Submitting...')
      await page.clock.runFor(1000)
      await expect(status).toHaveText(FAILED)
      await expect(email).toHaveValue('patient@example.com')
      expect(asked).toBe(2)
    },
  )
}

/** Playwright's clock moves `setTimeout`, but does not know this newer one. */
function putTimeoutsOnTheClock() {
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(new DOMException('timed out', 'TimeoutError')), ms)
    return controller.signal
  }
}
