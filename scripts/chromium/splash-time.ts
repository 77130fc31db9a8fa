import type { CDPSession, Page } from '@playwright/test'

/** From the first paint until a splash is gone, in milliseconds. */
export const LENGTH = 5000

/** A window that keeps the animations that are held: those that are over are not found again. */
interface Held extends Window {
  held: Animation[]
}

/** Stops the clock of all animations of a page: what waits for one then waits for ever. */
export async function stopTime(devtools: CDPSession): Promise<void> {
  await devtools.send('Animation.enable')
  await devtools.send('Animation.setPlaybackRate', { playbackRate: 0 })
}

/** Opens a page and holds all that moves at its beginning, however slow the machine is. */
export async function openSplash(page: Page, url: string): Promise<void> {
  await stopTime(await page.context().newCDPSession(page))
  await page.goto(url)
  await page.evaluate(() => {
    Object.assign(window, { held: document.getAnimations() })
    return document.fonts.ready
  })
}

/** Shows a page that was opened so as it is so many milliseconds after its beginning. */
export async function showAt(page: Page, time: number): Promise<Buffer> {
  await page.evaluate((time) => {
    for (const animation of (window as unknown as Held).held) animation.currentTime = time
  }, time)
  return page.screenshot()
}

/**
 * Ends the splash, and holds at its beginning what that sets off.
 *
 * @returns after how many milliseconds the last of it is over.
 */
export async function endSplash(page: Page): Promise<number> {
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish()
  })
  await page.locator('#splash').waitFor({ state: 'detached' })
  return page.evaluate(() => {
    const held = document.getAnimations()
    Object.assign(window, { held })
    const ends = held.map(({ effect }) => Number(effect?.getComputedTiming().endTime ?? 0))
    return Math.max(0, ...ends.filter(Number.isFinite))
  })
}
