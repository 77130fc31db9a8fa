import { FIELD_FRAGMENT, paths } from '../../src/shared/api.ts'
import { readOut } from './accessibility.ts'
import { expect, SERVER, test } from './fixtures.ts'
import {
  moveSplashTo,
  NO_DATABASE,
  openPageWithoutScript,
  openSplashAt,
  signUp,
  stopTime,
  THANK_YOU,
} from './page.ts'

test.use({ javaScriptEnabled: false })

test.describe('without script', SERVER, () => {
  test('the splash covers the page for 5000 ms, and not for longer', async ({ page, site }) => {
    const { email } = signUp(page)
    await openSplashAt(page, site.url, 4999)
    await expect(page.locator('#splash')).toBeVisible()
    expect((await readOut(page)).join()).not.toContain('Email address')

    // To read it out lets the time go on.
    await stopTime(page)
    await moveSplashTo(page, 5000)
    await expect(page.locator('#splash')).toBeHidden()
    expect(await readOut(page)).toContain('textbox Email address')
    await page.keyboard.press('Tab')
    await expect(email).toBeFocused()
    await email.click({ trial: true })
  })

  test('the market behind the page is uncovered when the splash is over', async ({
    page,
    site,
  }) => {
    const cover = () =>
      page.locator('.backdrop').evaluate((backdrop) => getComputedStyle(backdrop, '::after').scale)
    await openSplashAt(page, site.url, 4999)
    expect(await cover()).toBe('1')
    await moveSplashTo(page, 6400)
    expect(await cover()).toBe('0 1')
  })

  test('the page beneath the splash is out of reach of the keyboard', async ({ page, site }) => {
    await openSplashAt(page, site.url, 4999)
    await page.keyboard.press('Tab')
    await page.keyboard.type('early@example.com')
    await expect(signUp(page).email).not.toBeFocused()
    await expect(signUp(page).email).toHaveValue('')
  })

  test('the form posts, and thanks without splash and with nothing in the URL', async ({
    page,
    site,
  }) => {
    await openPageWithoutScript(page, site.url)
    const { email, button, status } = signUp(page)
    await email.fill('Plain@Example.com')
    await page.keyboard.press('Enter')

    await expect(page).toHaveURL(site.url + paths.subscribed + FIELD_FRAGMENT)
    await expect(status).toHaveText(THANK_YOU)
    await expect(email).toHaveValue('')
    await expect(email).toBeDisabled()
    await expect(button).toBeDisabled()
    await expect(page.getByRole('heading', { level: 1, name: 'Coming Soon' })).toBeVisible()
    await expect(page.locator('#splash')).toHaveCount(0)
    expect(await site.subscribers()).toContain('plain@example.com')
    expect(await page.context().cookies()).toMatchObject([{ httpOnly: true, sameSite: 'Strict' }])
  })

  test('a database that is gone is said, and the address is there to be sent again', async ({
    page,
    ownServer,
    browserConsole,
  }) => {
    browserConsole.expect(/Failed to load resource.*503/)
    await openPageWithoutScript(page, ownServer.url)
    await ownServer.removeData()
    const { email, button, status, submit } = signUp(page)
    await submit('kept@example.com')
    await expect(status).toHaveText(NO_DATABASE)
    await expect(page).toHaveURL(ownServer.url + paths.subscribe + FIELD_FRAGMENT)
    await expect(email).toHaveValue('kept@example.com')

    await ownServer.returnData()
    await button.click()
    await expect(status).toHaveText(THANK_YOU)
    expect(await ownServer.subscribers()).toEqual(['kept@example.com'])
  })
})
