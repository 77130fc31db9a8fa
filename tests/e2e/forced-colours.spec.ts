import type { Locator, Page } from '@playwright/test'
import { PARTS, readPng } from '../../scripts/chromium/png.ts'
import { expect, SAME, test } from './fixtures.ts'
import { openPage, signUp } from './page.ts'
import { everyState, REFUSED } from './states.ts'

test.use({ forcedColors: 'active' })

test.describe('in forced colours', SAME, () => {
  test('field and button keep an edge, and every icon a line, in every state', async ({
    page,
    site,
    browserConsole,
  }) => {
    browserConsole.expect(REFUSED)
    const { form, email, button } = signUp(page)
    const ground = await systemColour(page, 'Canvas')
    for await (const state of everyState(page, site.url)) {
      for (const control of [email, button]) {
        const { borderStyle, borderWidth, borderColor } = await styleOf(control)
        expect(borderStyle, state).toBe('solid')
        expect(Number.parseFloat(borderWidth), state).toBeGreaterThanOrEqual(1)
        // The button is filled, so that it is told from the field: its edge is against the ground.
        expect(borderColor, state).not.toBe(ground)
      }
      const icons = await form.locator('svg').all()
      // The envelope always, and a sign beside a message.
      expect(icons, state).toHaveLength(/error|success/.test(state) ? 2 : 1)
      for (const icon of icons) {
        await expect(icon, state).toBeVisible()
        expect((await styleOf(icon)).stroke, state).not.toBe((await styleOf(email)).backgroundColor)
      }
    }
  })

  test('every text stands out from the ground', async ({ page, site, browserConsole }) => {
    browserConsole.expect(REFUSED)
    const ground = await systemColour(page, 'Canvas')
    for await (const state of everyState(page, site.url)) {
      await expect(page.locator('html'), state).toHaveCSS('background-color', ground)
      const texts = await page.locator('h1, p, label').all()
      expect(texts.length, state).toBeGreaterThan(4)
      for (const text of texts) await expect(text, state).not.toHaveCSS('color', ground)
    }
  })

  test('the words of the button can be read', async ({ page, site }) => {
    await openPage(page, site.url)
    const clip = await signUp(page).button.evaluate((button) => {
      const words = document.createRange()
      words.selectNodeContents(button)
      const { x, y, width, height } = words.getBoundingClientRect()
      return { x, y, width, height }
    })
    const { data } = await readPng(await page.screenshot({ clip }))
    const greens = data.filter((_, at) => at % PARTS === 1)
    const light = greens.filter((green) => green > 128).length / greens.length
    expect(light).toBeGreaterThan(0.05)
    expect(light).toBeLessThan(0.6)
  })

  test('the focus shows', async ({ page, site }) => {
    await openPage(page, site.url)
    const { email, button } = signUp(page)
    for (const control of [email, button]) {
      await page.keyboard.press('Tab')
      await expect(control).toBeFocused()
      const { outlineStyle, outlineColor, backgroundColor } = await styleOf(control)
      expect(outlineStyle).toBe('solid')
      expect(outlineColor).not.toBe(backgroundColor)
    }
  })
})

function systemColour(page: Page, name: string) {
  return page.evaluate((name) => {
    document.documentElement.style.color = name
    return getComputedStyle(document.documentElement).color
  }, name)
}

function styleOf(locator: Locator) {
  return locator.evaluate((element) => {
    const {
      borderStyle,
      borderWidth,
      borderColor,
      backgroundColor,
      stroke,
      outlineStyle,
      outlineColor,
    } = getComputedStyle(element)
    return {
      borderStyle,
      borderWidth,
      borderColor,
      backgroundColor,
      stroke,
      outlineStyle,
      outlineColor,
    }
  })
}
