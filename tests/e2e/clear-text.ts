import type { Page } from '@playwright/test'
import { isLong } from '../torture/form.ts'
import { expect } from './fixtures.ts'
import { changesIn } from './picture.ts'

/** Phones upright and on their side, a laptop and a low one, at 200 %, and large screens. */
const SCREENS: readonly (readonly [width: number, height: number])[] = isLong
  ? [
      [320, 568],
      [360, 800],
      [568, 320],
      [640, 360],
      [768, 1024],
      [1280, 600],
      [1440, 900],
      [2560, 1440],
    ]
  : [
      [768, 800],
      [1440, 900],
    ]

/** Expects that all text and controls look the same without the backdrop: it is behind none. */
export async function expectClearText(page: Page) {
  const backdrop = page.locator('.backdrop')
  const show = (visibility: 'visible' | 'hidden') =>
    backdrop.evaluate((element, visibility) => {
      element.style.visibility = visibility
    }, visibility)
  let seen = 0
  for (const [width, height] of SCREENS) {
    await page.setViewportSize({ width, height })
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish()
    })
    const parts = await page
      .locator('.brand, h1, .pitch, .subscribe, footer a')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))
    const room = await backdrop.evaluate((element) => element.getBoundingClientRect().height)
    const whole = { x: 0, y: 0, width, height }
    const withIt = await page.screenshot({ fullPage: true })
    await show('hidden')
    const without = await page.screenshot({ fullPage: true })
    await show('visible')
    const [all = 0, ...behind] = await changesIn(withIt, without, [whole, ...parts])
    expect(behind, `${width} x ${height}`).toEqual(parts.map(() => 0))
    // Where there is room, there is something to be seen.
    if (room > 100) expect(all, `${width} x ${height}`).toBeGreaterThan(1000)
    if (room > 100) seen += 1
  }
  expect(seen).toBeGreaterThan(isLong ? 2 : 0)
}
