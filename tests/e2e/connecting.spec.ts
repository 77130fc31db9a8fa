import type { Page } from '@playwright/test'
import { paths } from '../../src/shared/api.ts'
import { expect, SAME, SERVER, test } from './fixtures.ts'
import {
  CONFIG,
  FAILED,
  holdBack,
  NO_DATABASE,
  openConnectedPage,
  openPage,
  postsTo,
  SIGN_IN,
  SUBSCRIBE,
  signUp,
  THANK_YOU,
} from './page.ts'

/** Where the form goes without script, and with it where there is no session. */
const FORM = `**${paths.subscribe}`

/** How often the page has logged that it is not connected. */
const complaints = (lines: readonly string[]) =>
  lines.filter((line) => line.includes('Not connected')).length

test.describe('without a configuration', () => {
  test(
    'and without a server that takes the form the page logs it once and says that the database is not connected',
    SAME,
    async ({ page, site, browserConsole }) => {
      await page.route(CONFIG, (route) => route.fulfill({ status: 404, body: 'Not Found' }))
      await page.route(FORM, (route) => route.fulfill({ status: 404, body: 'Not Found' }))
      browserConsole.expect(/Failed to load resource.*404/)
      browserConsole.expect(/Not connected/)
      await openPage(page, site.url)
      const { email, button, status, submit } = signUp(page)
      await expect.poll(() => complaints(browserConsole.lines)).toBe(1)
      await expect(status).toBeEmpty()

      await submit('unconfigured@example.com')
      await expect(status).toHaveText(NO_DATABASE)
      await expect(email).toHaveValue('unconfigured@example.com')
      await expect(email).toBeEditable()
      await expect(button).toBeEnabled()
      expect(browserConsole.lines.join()).not.toContain('unconfigured')
    },
  )

  test('a page that reaches it later goes on as if nothing had been', async ({
    page,
    site,
    browserConsole,
  }) => {
    browserConsole.expect(/Failed to load resource: net::ERR_FAILED/)
    browserConsole.expect(/Not connected/)
    await page.route(CONFIG, (route) => route.abort(), { times: 2 })
    await page.route(FORM, (route) => route.abort())
    await openPage(page, site.url)
    const { button, status, submit } = signUp(page)
    await submit('later@example.com')
    await expect(status).toHaveText(NO_DATABASE)

    await button.click()
    await expect(status).toHaveText(THANK_YOU)
    expect(await site.subscribers()).toContain('later@example.com')
  })
})

test.describe('signing in', () => {
  test(
    'happens once, when the page starts, and lasts for the next visit',
    SERVER,
    async ({ page, site }) => {
      const posts = postsTo(page, SIGN_IN)
      await openConnectedPage(page, site.url)
      const [first] = await page.context().cookies()
      const asked = page.waitForResponse(SIGN_IN)
      await openPage(page, site.url)
      await asked
      const { status, submit } = signUp(page)
      await submit('known.visitor@example.com')
      await expect(status).toHaveText(THANK_YOU)
      expect(posts.map((post) => post.postData())).toEqual([null])
      expect(await page.context().cookies()).toEqual([first])
    },
  )

  test('a failure is only logged, and put right when the visitor submits', async ({
    page,
    site,
    browserConsole,
  }) => {
    browserConsole.expect(/Failed to load resource: net::ERR_FAILED/)
    browserConsole.expect(/Not connected/)
    await page.route(SIGN_IN, (route) => route.abort(), { times: 1 })
    await openPage(page, site.url)
    await expect.poll(() => complaints(browserConsole.lines)).toBe(1)
    const { status, submit } = signUp(page)
    await expect(status).toBeEmpty()
    await submit('second.try@example.com')
    await expect(status).toHaveText(THANK_YOU)
  })

  test('that fails at submit as well is not tried for ever', async ({
    page,
    site,
    browserConsole,
  }) => {
    await page.route(FORM, (route) => route.abort())
    browserConsole.expect(/Failed to load resource: net::ERR_FAILED/)
    browserConsole.expect(/Not connected/)
    let tries = 0
    await page.route(SIGN_IN, (route) => {
      tries += 1
      return route.abort()
    })
    await openPage(page, site.url)
    const { status, submit } = signUp(page)
    await submit('stranger@example.com')
    await expect(status).toHaveText(FAILED)
    expect(tries).toBe(2)
  })
})

test.describe('what is blocked keeps nobody from the list:', SERVER, () => {
  // As a browser that takes no cookie, as lists of a blocker, and as a filter on the way.
  const blocked: Record<string, (page: Page) => Promise<unknown>> = {
    cookies: (page) =>
      page.route(SIGN_IN, async (route) => {
        const { origin } = new URL(page.url())
        const method = route.request().method()
        const answer = await fetch(route.request().url(), { method, headers: { origin } })
        await route.fulfill({ json: await answer.json() })
      }),
    'the API, with a page of a filter': (page) =>
      page.route('**/api/**', (route) => route.fulfill({ body: '<!doctype html>Blocked' })),
  }
  for (const [what, block] of Object.entries(blocked)) {
    test(what, async ({ page, ownServer, browserConsole }) => {
      if (what === 'cookies') browserConsole.expect(/Failed to load resource.*401/)
      browserConsole.expect(/Not connected/)
      await block(page)
      await openPage(page, ownServer.url)
      const { email, button, form, status, submit } = signUp(page)
      await submit('no.session@example.com')
      await expect(status).toHaveText(THANK_YOU)
      await expect(form).toHaveAttribute('data-status', 'success')
      await expect(email).toHaveValue('')
      await expect(button).toBeDisabled()
      await expect(page).toHaveURL(`${ownServer.url}/`)
      expect(ownServer.subscribers()).toEqual(['no.session@example.com'])
      expect(browserConsole.lines.join()).not.toContain('no.session')
    })
  }
})

test.describe('a slow network', () => {
  test('a submit while the page still connects waits, and goes on', async ({ page, site }) => {
    const release = await holdBack(page, CONFIG)
    const signIns = postsTo(page, SIGN_IN)
    const posts = postsTo(page, SUBSCRIBE)
    await openPage(page, site.url)
    const { email, button, status, submit } = signUp(page)
    await submit('eager@example.com')
    await expect(button).toHaveText('Submitting...')
    await expect(email).toBeDisabled()
    expect(posts).toHaveLength(0)

    release()
    await expect(status).toHaveText(THANK_YOU)
    expect(signIns).toHaveLength(1)
    expect(await site.subscribers()).toContain('eager@example.com')
  })
})
