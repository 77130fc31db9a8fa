import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import ours from '../../product.config.ts'
import { logoShape } from '../../scripts/build/logo.ts'
import { trimLogos } from '../../scripts/build/trim-logo.ts'
import { logosOf } from '../../src/shared/look.ts'
import { accentOf } from '../../src/shared/palette.ts'
import type { Product } from '../../src/shared/product.ts'
import { copyProduct, products } from '../fixtures/products.ts'
import { axeFindings } from './accessibility.ts'
import { type BuiltSite, startBuilt } from './built-site.ts'
import { expectClearText } from './clear-text.ts'
import { expect, long, SERVER, test } from './fixtures.ts'
import { leftToTorture } from './long.ts'
import { endSplash, moveSplashTo, openPage, openSplashAt, signUp } from './page.ts'
import { layoutShifts } from './stillness.ts'

type Name = keyof typeof products

for (const name of ['kestrel', 'northern-lights', 'polaris'] satisfies Name[]) {
  test.describe(`the page of ${name}`, SERVER, () => {
    leftToTorture(name !== 'kestrel')
    const product: Product = products[name]
    let site: BuiltSite
    test.describe.configure({ mode: 'default' })
    test.beforeAll(async () => {
      // A wordmark is the one that gets a remark.
      const stdout = name === 'northern-lights' ? expect.stringMatching(/^.* in a tab; .*\n$/) : ''
      site = await startBuilt((root) => copyProduct(root, name), stdout)
    })
    test.afterAll(() => site.stop())

    test('sees the candlestick become the logo, which is then where it stays', async ({ page }) => {
      await openSplashAt(page, site.url, 4250)
      const logo = page.locator('.brand img')
      const body = page.locator('.green .body')
      await expect(logo).toHaveCSS('opacity', '0')
      await expect(body).toHaveCSS('opacity', '1')

      await moveSplashTo(page, 4750)
      const slot = await boxOf(logo)
      const landed = await boxOf(body)
      expect(landed.middle).toBeCloseTo(slot.middle, 0)
      expect(landed.height).toBeLessThan(slot.height)
      expect(landed.y).toBeGreaterThan(slot.y)

      await moveSplashTo(page, 4990)
      await expect(logo).toHaveCSS('opacity', '1')
      await expect(body).toHaveCSS('opacity', '0')
      const before = await boxOf(logo)
      await endSplash(page)
      expect(await boxOf(logo)).toEqual(before)
      expect(await layoutShifts(page)).toEqual([])
    })

    test('has nothing behind its text on any screen, and no line of its pitch with little in it', async ({
      page,
    }) => {
      await openPage(page, site.url)
      await expectClearText(page)
      for (const width of [360, 480]) {
        await page.setViewportSize({ width, height: 800 })
        expect(await lastLine(page.locator('.pitch')), `${width} px`).toBeGreaterThan(0.5)
      }
    })

    long('is whole, and wears what the brand asks for', async ({ page }) => {
      test.slow()
      await page.setViewportSize({ width: 320, height: 568 })
      await openPage(page, site.url)
      await test.step('the logo has its own proportions, and a name beside it unless it says it', async () => {
        const logo = page.getByRole('img', { name: product.name })
        await expect(logo).toBeInViewport({ ratio: 1 })
        const { width, height } = await boxOf(logo)
        const [svg = ''] = await trimLogos([
          await readFile(join(site.root, products[name].logo), 'utf8'),
        ])
        expect(width / height).toBeCloseTo(logoShape(svg)?.ratio ?? 0, 1)
        const beside = page.locator('.brand').getByText(product.name)
        await expect(beside).toBeVisible({ visible: name !== 'northern-lights' })
      })

      await test.step('its links are at the foot, for everybody to read', async () => {
        await page.setViewportSize({ width: 1280, height: 720 })
        const links = page.getByRole('contentinfo').getByRole('link')
        const shown = await links.evaluateAll((all) =>
          all.map((link) => [link.textContent, link.getAttribute('href')]),
        )
        expect(shown).toEqual(Object.entries(product.links ?? {}))
        expect(await axeFindings(page)).toEqual([])
      })

      await test.step('its accent is where it has the focus, and at the last price', async () => {
        const accent = await asRgb(page, accentOf(product))
        const { email } = signUp(page)
        await page.keyboard.press('Tab')
        await expect(email).toBeFocused()
        await expect(email).toHaveCSS('outline-color', accent)
        const price = page.locator('.backdrop i')
        expect(await price.evaluate((line) => getComputedStyle(line).backgroundImage)).toContain(
          accent,
        )
      })
    })
  })
}

test(
  'a logo that holds our candlestick is where the splash lands, to the pixel',
  SERVER,
  async ({ page, site }) => {
    const logo = logoShape(await readFile(String(logosOf(ours)[0]), 'utf8'))
    test.skip(!logo?.isCandle, 'the product has a logo of its own')
    for (const [width, height] of [
      [360, 800],
      [2560, 1440],
    ] as const) {
      await page.setViewportSize({ width, height })
      await openSplashAt(page, site.url, 4900)
      const slot = await boxOf(page.locator('.brand img'))
      const landed = await boxOf(page.locator('.green .body'))
      const unit = slot.width / 48
      expect(Math.abs(landed.x - slot.x - 18 * unit)).toBeLessThan(0.5)
      expect(Math.abs(landed.y - slot.y - 13 * unit)).toBeLessThan(0.5)
      expect(Math.abs(landed.width - 12 * unit)).toBeLessThan(0.5)
      expect(Math.abs(landed.height - 22 * unit)).toBeLessThan(0.5)
    }
  },
)

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error('it is not there')
  return { ...box, middle: box.x + box.width / 2 }
}

function asRgb(page: Page, colour: string) {
  return page.evaluate((colour) => {
    const probe = document.createElement('i')
    probe.style.color = colour
    document.body.append(probe)
    const rgb = getComputedStyle(probe).color
    probe.remove()
    return rgb
  }, colour)
}

/** How long the last line of a text is, of its longest. */
function lastLine(text: Locator) {
  return text.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    const lengths = [...range.getClientRects()].map(({ width }) => width)
    return (lengths.at(-1) ?? 0) / Math.max(...lengths)
  })
}
