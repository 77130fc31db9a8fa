import { paths } from '../../src/shared/api.ts'
import { expect, SERVER, test } from './fixtures.ts'
import {
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

const CONFIG = `**${paths.config}`

test.describe('without a configuration', () => {
  const broken = {
    missing: { status: 404, body: 'Not Found' },
    'not JSON': { status: 200, body: '<!doctype html>' },
    empty: { status: 200, body: 'null' },
    'for a mode that nobody knows': { status: 200, body: '{"mode":"telepathy"}' },
  }
  for (const [how, answer] of Object.entries(broken)) {
    test(`(${how}) the page logs it once and says that the database is not connected`, async ({
      page,
      site,
      browserConsole,
    }) => {
      await page.route(CONFIG, (route) => route.fulfill(answer))
      if (answer.status !== 200) browserConsole.expect(/Failed to load resource.*404/)
      browserConsole.expect(/Not connected/)
      const logged = () => browserConsole.lines.filter((line) => line.includes('Not connected'))
      await openPage(page, site.url)
      const { email, button, status, submit } = signUp(page)
      await expect.poll(logged).toHaveLength(1)
      await expect(status).toBeEmpty()

      await submit('unconfigured@example.com')
      await expect(status).toHaveText(NO_DATABASE)
      await expect(email).toHaveValue('unconfigured@example.com')
      await expect(email).toBeEditable()
      await expect(button).toBeEnabled()
      expect(browserConsole.lines.join()).not.toContain('unconfigured')
    })
  }

  test('a page that reaches it later goes on as if nothing had been', async ({
    page,
    site,
    browserConsole,
  }) => {
    browserConsole.expect(/Failed to load resource: net::ERR_FAILED/)
    browserConsole.expect(/Not connected/)
    await page.route(CONFIG, (route) => route.abort(), { times: 2 })
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
    await expect
      .poll(() => browserConsole.lines.filter((line) => line.includes('Not connected')))
      .toHaveLength(1)
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

  test(
    'happens again for a visitor whose cookies were cleared meanwhile',
    SERVER,
    async ({ page, site, browserConsole }) => {
      await openConnectedPage(page, site.url)
      await page.context().clearCookies()
      browserConsole.expect(/Failed to load resource.*401/)
      const { status, submit } = signUp(page)
      await submit('cleared@example.com')
      await expect(status).toHaveText(THANK_YOU)
      expect(await site.subscribers()).toContain('cleared@example.com')
    },
  )
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

test.describe('a server in trouble', () => {
  test('that is gone gets "could not subscribe", and the address back when it returns', async ({
    page,
    ownSite,
    browserConsole,
    mode,
  }) => {
    await openConnectedPage(page, ownSite.url)
    browserConsole.expect(/Failed to load resource.*ERR_CONNECTION_REFUSED/)
    if (mode === 'embedded') browserConsole.expect(/Not connected/)
    await ownSite.kill()
    const { email, button, status, submit } = signUp(page)
    await submit('steadfast@example.com')
    await expect(status).toHaveText(FAILED)
    await expect(email).toHaveValue('steadfast@example.com')
    expect(browserConsole.lines.join()).not.toContain('steadfast')

    await ownSite.restart()
    await button.click()
    await expect(status).toHaveText(THANK_YOU)
    expect(await ownSite.subscribers()).toEqual(['steadfast@example.com'])
  })

  test('an address that was thanked for survives kill -9', SERVER, async ({ page, ownServer }) => {
    await openPage(page, ownServer.url)
    const { status, submit } = signUp(page)
    await submit('survivor@example.com')
    await expect(status).toHaveText(THANK_YOU)
    await ownServer.kill()
    expect(await ownServer.subscribers()).toEqual(['survivor@example.com'])
  })

  test(
    'says that the database is not connected while it is gone, and recovers',
    SERVER,
    async ({ page, ownServer, browserConsole }) => {
      const { button, status, submit } = signUp(page)
      await openPage(page, ownServer.url)
      await submit('earlier@example.com')
      await expect(status).toHaveText(THANK_YOU)

      // The server has the file open now, and could write on into what is no longer there.
      browserConsole.expect(/Failed to load resource.*503/)
      await ownServer.removeData()
      await openPage(page, ownServer.url)
      await submit('recovered@example.com')
      await expect(status).toHaveText(NO_DATABASE)

      await ownServer.returnData()
      await button.click()
      await expect(status).toHaveText(THANK_YOU)
      expect(await ownServer.subscribers()).toEqual([
        'earlier@example.com',
        'recovered@example.com',
      ])
      expect(ownServer.log()).not.toContain('recovered@')
    },
  )

  test(
    'waits for a moment, then gives up, while another program holds the database',
    SERVER,
    async ({ page, ownServer, browserConsole }) => {
      await openConnectedPage(page, ownServer.url)
      const { button, email, status, submit } = signUp(page)
      await submit('first@example.com')
      await expect(status).toHaveText(THANK_YOU)

      await openPage(page, ownServer.url)
      browserConsole.expect(/Failed to load resource.*503/)
      const unlock = ownServer.lockDatabase()
      await submit('held.up@example.com')
      await expect(button).toHaveText('Submitting...')
      await expect(status).toHaveText(NO_DATABASE)
      await expect(email).toHaveValue('held.up@example.com')

      unlock()
      await button.click()
      await expect(status).toHaveText(THANK_YOU)
    },
  )
})

test.describe('too many requests', SERVER, () => {
  test.use({ settings: { RATE_LIMIT: '1' } })

  test('get "could not subscribe"', async ({ page, ownServer, browserConsole }) => {
    await openPage(page, ownServer.url)
    const { email, status, submit } = signUp(page)
    await submit('within@example.com')
    await expect(status).toHaveText(THANK_YOU)

    await openPage(page, ownServer.url)
    browserConsole.expect(/Failed to load resource.*429/)
    await submit('beyond@example.com')
    await expect(status).toHaveText(FAILED)
    await expect(email).toHaveValue('beyond@example.com')
    expect(await ownServer.subscribers()).toEqual(['within@example.com'])
  })
})
