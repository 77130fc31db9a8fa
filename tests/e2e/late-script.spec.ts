import { FIELD_FRAGMENT, paths } from '../../src/shared/api.ts'
import { expect, SERVER, test } from './fixtures.ts'
import {
  holdBack,
  INVALID,
  openPageWithoutScript,
  PAGE_SCRIPT,
  postsTo,
  SIGN_IN,
  signUp,
  THANK_YOU,
} from './page.ts'

test.describe('while the script is on its way', () => {
  test('a submit goes the way of a form without script', SERVER, async ({ page, site }) => {
    const release = await holdBack(page, PAGE_SCRIPT)
    await openPageWithoutScript(page, site.url)
    const { email, status, submit } = signUp(page)
    await submit('impatient@example.com')
    await expect(page).toHaveURL(site.url + paths.subscribed + FIELD_FRAGMENT)
    await expect(status).toHaveText(THANK_YOU)
    expect(await site.subscribers()).toContain('impatient@example.com')

    const connected = page.waitForResponse(SIGN_IN)
    release()
    await connected
    await expect(status).toHaveText(THANK_YOU)
    await expect(email).toBeDisabled()
  })

  test(
    'an error comes back with the address, and script takes over from there',
    SERVER,
    async ({ page, site, browserConsole }) => {
      browserConsole.expect(/Failed to load resource.*422/)
      const release = await holdBack(page, PAGE_SCRIPT)
      await openPageWithoutScript(page, site.url)
      const { email, button, status, submit } = signUp(page)
      await submit('halfway')
      await expect(status).toHaveText(INVALID)

      const connected = page.waitForResponse(SIGN_IN)
      release()
      await connected
      await expect(status).toHaveText(INVALID)
      await expect(email).toHaveValue('halfway')
      await expect(email).toHaveAttribute('aria-invalid', 'true')

      const nativePosts = postsTo(page, new RegExp(`${paths.subscribe}$`))
      await email.press('End')
      await email.pressSequentially('@example.com')
      await button.click()
      await expect(status).toHaveText(THANK_YOU)
      expect(nativePosts).toEqual([])
      expect(await site.subscribers()).toContain('halfway@example.com')
    },
  )
})
