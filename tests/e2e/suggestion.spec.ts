import type { Page } from '@playwright/test'
import { axeFindings, readOut } from './accessibility.ts'
import { expect, SAME, test } from './fixtures.ts'
import {
  FAILED,
  INVALID,
  openConnectedPage,
  routeFromNow,
  SUBSCRIBE,
  signUp,
  stopTime,
  THANK_YOU,
} from './page.ts'
import { layoutShifts } from './stillness.ts'
import { ALL_TEXT, fontsOf } from './typefaces.ts'

/** The form with its field, and the two buttons that it may have. */
function suggesting(page: Page) {
  const { form, ...others } = signUp(page)
  return {
    form,
    ...others,
    button: form.getByRole('button', { name: 'Notify Me' }),
    suggestion: form.getByRole('button', { name: /^Did you mean/ }),
  }
}

test.describe('another domain is suggested', () => {
  test('to whoever stops typing, and one press takes it', SAME, async ({ page, site }) => {
    await openConnectedPage(page, site.url)
    const { email, button, status, suggestion } = suggesting(page)
    await email.pressSequentially('taken@gmial.com')
    await expect(suggestion).toHaveText('Did you mean gmail.com?')
    // A screen reader says it by itself, and of the field.
    await expect(status.getByRole('button')).toHaveText('Did you mean gmail.com?')
    await expect(email).toHaveAccessibleDescription('Did you mean gmail.com?')

    await suggestion.click()
    await expect(email).toHaveAccessibleDescription('')
    await expect(email).toHaveValue('taken@gmail.com')
    await expect(email).toBeFocused()
    await expect(status).toBeEmpty()
    await button.click()
    await expect(status).toHaveText(THANK_YOU)
    expect(await site.subscribers()).toContain('taken@gmail.com')
    expect(await site.subscribers()).not.toContain('taken@gmial.com')
  })

  test('and whoever meant it sends it as it is', SAME, async ({ page, site }) => {
    await openConnectedPage(page, site.url)
    const { email, status, suggestion } = suggesting(page)
    await email.fill('meant@hotmial.com')
    await expect(suggestion).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(status).toHaveText(THANK_YOU)
    await expect(suggestion).toHaveCount(0)
    expect(await site.subscribers()).toContain('meant@hotmial.com')
  })

  test('by keyboard as well', SAME, async ({ page, site }) => {
    await openConnectedPage(page, site.url)
    const { email, button, suggestion } = suggesting(page)
    await email.pressSequentially('Ada.Lovelace@Outlok.com ')
    await expect(suggestion).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(button).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(suggestion).toBeFocused()
    await expect(suggestion).toHaveCSS('outline-style', 'solid')
    await page.keyboard.press('Enter')
    await expect(email).toHaveValue('Ada.Lovelace@outlook.com')
    await expect(email).toBeFocused()
  })

  test('to nobody who goes on typing, by eye or ear', SAME, async ({ page, site }) => {
    await openConnectedPage(page, site.url)
    const { email, suggestion } = suggesting(page)
    await stopTime(page)
    await email.pressSequentially('ada@gmail.co')
    const hidden = page.locator('.subscribe-status button')
    await expect(hidden).toHaveCount(1)
    await expect(hidden).toBeHidden()
    expect((await readOut(page)).join()).not.toContain('Did you mean')
    await email.press('m')
    await expect(hidden).toHaveCount(0)

    await email.press('Backspace')
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish()
    })
    await expect(suggestion).toBeVisible()
    expect(await readOut(page)).toContain('button Did you mean gmail.com?')
    await email.press('m')
    await expect(suggestion).toHaveCount(0)
  })

  test('never beside an error', SAME, async ({ page, site, browserConsole }) => {
    await openConnectedPage(page, site.url)
    const { email, status, suggestion, submit } = suggesting(page)
    await submit('ada@gmial')
    await expect(status).toHaveText(INVALID)
    await email.press('End')
    await email.pressSequentially('.com')
    await expect(status).toHaveText(INVALID)

    browserConsole.expect(/Failed to load resource.*500/)
    await routeFromNow(page, SUBSCRIBE, (route) => route.fulfill({ status: 500, json: {} }), {
      times: 1,
    })
    await page.keyboard.press('Enter')
    await expect(status).toHaveText(FAILED)
    await expect(suggestion).toHaveCount(0)
  })

  test('without moving anything at 320 px', SAME, async ({ page, site }) => {
    await page.setViewportSize({ width: 320, height: 800 })
    await openConnectedPage(page, site.url)
    const { form, email, suggestion } = suggesting(page)
    const places = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('form, form p, input, [type="submit"], .backdrop')].map(
          (element) => JSON.stringify(element.getBoundingClientRect()),
        ),
      )
    await email.focus()
    const before = await places()
    await email.fill('ada@googlemial.com')
    await expect(suggestion).toHaveText('Did you mean googlemail.com?')
    expect(await places()).toEqual(before)
    const [inside, outside] = [await suggestion.boundingBox(), await form.boundingBox()]
    expect(inside && outside && inside.y + inside.height).toBeLessThanOrEqual(
      (outside?.y ?? 0) + (outside?.height ?? 0),
    )
    await suggestion.click()
    await expect(suggestion).toHaveCount(0)
    expect(await places()).toEqual(before)
    expect(await layoutShifts(page)).toEqual([])
  })

  test('in the page’s typeface, and axe finds nothing', SAME, async ({ page, site }) => {
    await page.setViewportSize({ width: 360, height: 800 })
    await openConnectedPage(page, site.url)
    const { email, suggestion } = suggesting(page)
    await email.fill('ada@posteo.dd')
    await expect(suggestion).toBeVisible()
    expect(await axeFindings(page, { contrast: 'AAA' })).toEqual([])
    const fonts = await fontsOf(page, ALL_TEXT)
    expect(fonts['posteo.de']).toMatch(/^Geist/)
  })

  test('in forced colours too', SAME, async ({ page, site }) => {
    await page.emulateMedia({ forcedColors: 'active' })
    await openConnectedPage(page, site.url)
    const { email, suggestion } = suggesting(page)
    await email.fill('ada@gmial.com')
    await expect(suggestion).toBeVisible()
    const ground = await page.evaluate(
      () => getComputedStyle(document.documentElement).backgroundColor,
    )
    await expect(suggestion).not.toHaveCSS('color', ground)
    await expect(suggestion.getByText('gmail.com')).toHaveCSS('text-decoration-line', 'underline')
  })
})
