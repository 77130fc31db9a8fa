import type { Page } from '@playwright/test'
import { stopTime } from '../chromium/stop-time.ts'
import { SCENE_URL } from './scene-pages.ts'

/** A window that keeps all animations of its beginning: those that are over are not found again. */
interface Held extends Window {
  held: Animation[]
}

/** Opens a scene's page and stops all clocks at its beginning. */
export async function openSplash(page: Page): Promise<void> {
  await stopTime(await page.context().newCDPSession(page))
  await page.goto(SCENE_URL)
  await page.evaluate(() => {
    Object.assign(window, { held: document.getAnimations() })
    return document.fonts.ready
  })
}

/** Shows a splash that was opened so as it is so many milliseconds after it began. */
export async function showAt(page: Page, time: number): Promise<Buffer> {
  await page.evaluate((time) => {
    for (const animation of (window as unknown as Held).held) animation.currentTime = time
  }, time)
  return page.screenshot()
}
