import { expect, test } from './fixtures.ts'
import { FAILED, openConnectedPage, signUp, THANK_YOU } from './page.ts'

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
})
