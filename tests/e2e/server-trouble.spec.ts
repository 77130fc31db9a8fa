import { expect, long, SERVER, test } from './fixtures.ts'
import { FAILED, NO_DATABASE, openConnectedPage, openPage, signUp, THANK_YOU } from './page.ts'

test.describe('a server in trouble', () => {
  test('that is gone gets "could not subscribe", and the address back when it returns', async ({
    page,
    ownSite,
    browserConsole,
  }) => {
    await openConnectedPage(page, ownSite.url)
    browserConsole.expect(/Failed to load resource.*ERR_CONNECTION_REFUSED/)
    browserConsole.expect(/Not connected/)
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

  long(
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

  long(
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

  test('get "could not subscribe"', async ({ page, freshServer, browserConsole }) => {
    await openPage(page, freshServer.url)
    const { email, status, submit } = signUp(page)
    await submit('within@example.com')
    await expect(status).toHaveText(THANK_YOU)

    await openPage(page, freshServer.url)
    browserConsole.expect(/Failed to load resource.*429/)
    await submit('beyond@example.com')
    await expect(status).toHaveText(FAILED)
    await expect(email).toHaveValue('beyond@example.com')
    expect(await freshServer.subscribers()).toEqual(['within@example.com'])
  })
})
