import type { Page } from '@playwright/test'
import product from '../../product.config.ts'
import { paths } from '../../src/shared/api.ts'
import { readOut } from './accessibility.ts'
import { tabOf } from './engines/playwright-tab.ts'
import { expectSplashToLast, openSplash } from './engines/splash.ts'
import { expect, SAME, test } from './fixtures.ts'
import {
  CONFIG,
  endSplash,
  holdBack,
  moveSplashTo,
  openPageWithoutScript,
  openSplashAt,
  PAGE_SCRIPT,
  SIGN_IN,
  signUp,
} from './page.ts'
import { candlesIn } from './picture.ts'

test.describe('the splash', () => {
  for (const [reducedMotion, motion] of [
    ['no-preference', {}],
    ['reduce', SAME],
  ] as const) {
    test(
      `lasts 5000 ms from its first paint, with motion: ${reducedMotion}`,
      motion,
      async ({ page, site }) => {
        await page.emulateMedia({ reducedMotion })
        const tab = tabOf(page)
        const seen = await openSplash(tab, site.url)
        expect(seen.splash.lasts).toBe(5000)
        await expectSplashToLast(tab, seen)
        await expect(page.locator('#splash')).toHaveCount(0)
        await expect(signUp(page).email).toBeEditable()
      },
    )
  }

  test('draws three red candlesticks, then a green one', SAME, async ({ page, site }) => {
    await openSplashAt(page, site.url, 0)
    const moments: Record<number, string[]> = {
      0: [],
      600: ['red'],
      1200: ['red', 'red'],
      1900: ['red', 'red', 'red'],
      3500: ['red', 'red', 'red', 'green'],
    }
    for (const [time, candles] of Object.entries(moments)) {
      await moveSplashTo(page, Number(time))
      await expect.poll(() => candlesSeen(page), `after ${time} ms`).toEqual(candles)
    }
  })

  test(
    'has each red candlestick open where the last one closed, and the green one close above all',
    SAME,
    async ({ page, site }) => {
      await openSplashAt(page, site.url, 600)
      const bodies = () =>
        page.locator('#splash .candle .body').evaluateAll((bodies) =>
          bodies
            .map((body) => {
              const { left, right, top, bottom } = body.getBoundingClientRect()
              return { left, right, top, bottom, color: getComputedStyle(body).color }
            })
            .toSorted((one, other) => one.left - other.left),
        )
      // The first to be drawn is the first from the left.
      const [first, ...others] = await bodies()
      expect(Number(first?.bottom) - Number(first?.top)).toBeGreaterThan(1)
      for (const { top, bottom } of others) expect(bottom - top).toBeLessThan(1)

      await moveSplashTo(page, 3500)
      const [one, two, three, green] = await bodies()
      if (!one || !two || !three || !green) throw new Error('four were to be drawn')
      expect(new Set([one.color, two.color, three.color]).size).toBe(1)
      expect(green.color).not.toBe(one.color)
      expect([one.right < two.left, two.right < three.left, three.right < green.left]).toEqual([
        true,
        true,
        true,
      ])
      expect(Math.abs(two.top - one.bottom)).toBeLessThan(2)
      expect(Math.abs(three.top - two.bottom)).toBeLessThan(2)
      expect(Math.abs(green.bottom - three.bottom)).toBeLessThan(2)
      expect(green.top).toBeLessThan(one.top)
    },
  )

  test('shows the product name once the candlesticks stand', SAME, async ({ page, site }) => {
    const name = page.locator('#splash').getByText(product.name)
    await openSplashAt(page, site.url, 2500)
    await expect(name).toHaveCSS('opacity', '0')
    await moveSplashTo(page, 4000)
    await expect(name).toHaveCSS('opacity', '1')
    await expect(name).toBeInViewport({ ratio: 1 })
  })

  for (const [width, height] of [
    [320, 568],
    [800, 360],
    [2560, 1440],
  ] as const) {
    test(
      `covers all of a screen of ${width} x ${height} with black`,
      SAME,
      async ({ page, site }) => {
        await page.setViewportSize({ width, height })
        await openSplashAt(page, site.url, 3500)
        expect(await page.locator('#splash').boundingBox()).toEqual({ x: 0, y: 0, width, height })
        for (const x of [0, width - 1])
          for (const y of [0, height - 1]) expect(await whatIsAt(page, x, y)).toBe('rgb(0, 0, 0)')
        await expect.poll(() => candlesSeen(page)).toEqual(['red', 'red', 'red', 'green'])
        await expect(page.locator('#splash').getByText(product.name)).toBeInViewport({ ratio: 1 })
      },
    )
  }

  test(
    'is a still picture, whole from the start, for who wants no motion',
    SAME,
    async ({ page, site }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await openSplashAt(page, site.url, 0)
      await page.evaluate(() => document.fonts.ready)
      const first = await page.screenshot()
      expect(await candlesIn(first)).toEqual(['red', 'red', 'red', 'green'])
      await expect(page.locator('#splash').getByText(product.name)).toHaveCSS('opacity', '1')
      for (const time of [2500, 4990]) {
        await moveSplashTo(page, time)
        expect((await page.screenshot()).equals(first), `the same after ${time} ms`).toBe(true)
      }
    },
  )

  test('keeps its colours where the system forces others', SAME, async ({ page, site }) => {
    await page.emulateMedia({ forcedColors: 'active' })
    await openSplashAt(page, site.url, 3500)
    await expect.poll(() => candlesSeen(page)).toEqual(['red', 'red', 'red', 'green'])
  })

  test(
    'has the script wait until nothing moves: the name has risen',
    SAME,
    async ({ page, site }) => {
      const calls: string[] = []
      page.on('request', (request) => calls.push(new URL(request.url()).pathname))
      // Waits for "load", and by then a script in the document would have run.
      await openSplashAt(page, site.url, 3700)
      await expect(page.locator('script[src]')).toHaveCount(0)
      expect(calls).not.toContain(paths.config)
      const takenOver = page.waitForRequest(CONFIG)
      await moveSplashTo(page, 3800)
      await takenOver
      await expect(page.locator('#splash')).toBeVisible()
    },
  )

  test('lets the script in at once for who wants no motion', SAME, async ({ page, site }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const takenOver = page.waitForRequest(CONFIG)
    await openSplashAt(page, site.url, 0)
    await takenOver
    await expect(page.locator('#splash')).toBeVisible()
  })

  test(
    'opens the page also when its animations are cancelled, as printing or a style of the visitor may',
    SAME,
    async ({ page, site }) => {
      await openSplashAt(page, site.url, 1000)
      const takenOver = page.waitForRequest(CONFIG)
      await page.evaluate(() => {
        for (const animation of document.getAnimations()) animation.cancel()
      })
      await takenOver
      await expect(page.locator('#splash')).toHaveCount(0)
      const { email } = signUp(page)
      await email.fill('visitor@example.com')
      await expect(email).toHaveValue('visitor@example.com')
    },
  )

  test('does not come back when script comes after it', async ({ page, site }) => {
    const release = await holdBack(page, PAGE_SCRIPT)
    const connected = page.waitForResponse(SIGN_IN)
    await openPageWithoutScript(page, site.url)
    await expect(page.locator('#splash')).toHaveCount(0)
    release()
    await connected
    await expect(page.locator('#splash')).toHaveCount(0)
    await expect(signUp(page).email).toBeEditable()
  })
})

test.describe('the page beneath the splash', () => {
  test('is not read out until the splash is gone', SAME, async ({ page, site }) => {
    await openSplashAt(page, site.url, 1000)
    await forgetInteractivity(page)
    expect(await readOut(page)).toEqual([
      `RootWebArea ${product.name} — Coming Soon`,
      `region ${product.name}`,
      `StaticText ${product.name}`,
    ])
    await endSplash(page)
    expect(await readOut(page)).toEqual(
      expect.arrayContaining([
        'heading Coming Soon',
        `image ${product.name}`,
        'form Be the first to know when we go live',
        'textbox Email address',
        'button Notify Me',
      ]),
    )
  })

  test('cannot be reached by keyboard or pointer until then', async ({ page, site }) => {
    await openSplashAt(page, site.url, 4990)
    await forgetInteractivity(page)
    for (const key of ['Tab', 'Tab', 'Shift+Tab']) {
      await page.keyboard.press(key)
      expect(await focused(page)).toBe('BODY')
    }
    const { email } = signUp(page)
    const box = await email.boundingBox()
    if (!box) throw new Error('the field is not there')
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await page.keyboard.type('early@example.com')
    await expect(email).toHaveValue('')
    expect(await focused(page)).toBe('BODY')
  })
})

/** Takes away what the style sheet does to keep the page out of reach: not every browser knows it. */
async function forgetInteractivity(page: Page) {
  await page.locator('#root').evaluate((root) => {
    for (const animation of root.getAnimations()) animation.cancel()
  })
}

async function candlesSeen(page: Page) {
  return candlesIn(await page.screenshot())
}

/** The background of what the visitor would touch there; it must be the splash's own. */
function whatIsAt(page: Page, x: number, y: number) {
  return page.evaluate(
    ([x, y]) => {
      const element = document.elementFromPoint(x, y)
      if (!element?.closest('#splash')) return `covered by ${element?.tagName}`
      return getComputedStyle(element, '::before').backgroundColor
    },
    [x, y] as const,
  )
}

function focused(page: Page) {
  return page.evaluate(() => document.activeElement?.tagName)
}
