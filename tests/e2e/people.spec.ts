import { expect, SAME, SERVER, test } from './fixtures.ts'
import { lookAround, openConnectedPage, signUp, THANK_YOU, WITH_A_SCREEN } from './page.ts'

test.use({ userAgent: WITH_A_SCREEN })

test.describe('people are on the list, and none of them is quarantined:', SERVER, () => {
  test('somebody whose password manager fills every field', async ({ page, freshServer }) => {
    await openConnectedPage(page, freshServer.url)
    await lookAround(page, 3000)
    const { button, status } = signUp(page)
    await page.evaluate(() => {
      for (const input of document.querySelectorAll('input')) {
        input.value = input.type === 'email' ? 'filled@example.com' : 'Ada Lovelace'
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }
    })
    await button.click()
    await expect(status).toHaveText(THANK_YOU)
    expect(freshServer.subscribers()).toEqual(['filled@example.com'])
    expect(freshServer.quarantined()).toEqual([])
  })

  test('somebody with a keyboard and a screen reader, who meets two stops and no other', async ({
    page,
    ownServer,
  }) => {
    await openConnectedPage(page, ownServer.url)
    await lookAround(page, 1000)
    const { email, button, form, status } = signUp(page)
    await expect(form.getByRole('textbox')).toHaveCount(1)
    await expect(form).not.toMatchAriaSnapshot('- text: Leave this empty')
    await page.keyboard.press('Tab')
    await expect(email).toBeFocused()
    await page.keyboard.type('keys@example.com')
    await page.keyboard.press('Tab')
    await expect(button).toBeFocused()
    await page.keyboard.press('Space')
    await expect(status).toHaveText(THANK_YOU)
    expect(ownServer.quarantined()).toEqual([])
  })
})

test(
  'where there is no style, the field for robots says that it is left empty',
  SAME,
  async ({ page, site }) => {
    await openConnectedPage(page, site.url)
    await page.evaluate(() => {
      for (const style of document.querySelectorAll('style, link[rel=stylesheet]')) style.remove()
    })
    const field = page.getByLabel('Leave this empty', { exact: true })
    await expect(field).toBeVisible()
    await expect(field).toHaveAttribute('autocomplete', 'off')
  },
)
