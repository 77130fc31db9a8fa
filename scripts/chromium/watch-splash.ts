import type { Page } from '@playwright/test'
import { markSplashEnd } from './mark-splash-end.ts'
import { readTrace, type SplashSeen, traceCategories } from './trace.ts'

/**
 * Watches a splash from its first paint until it is gone, from the browser's own trace.
 *
 * @param slowdown how many times slower than it is the machine shall seem.
 */
export async function watchSplash(page: Page, url: string, slowdown: number): Promise<SplashSeen> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.addInitScript(markSplashEnd)
  const browser = page.context().browser()
  if (!browser) throw new Error('a page of no browser has no trace')
  await browser.startTracing(page, { categories: traceCategories })
  // The page reports it: polling, or waiting for "load", would run script during the animation.
  const gone = page.waitForEvent('console', (message) => message.text() === 'splash gone')
  await page.goto(url, { waitUntil: 'commit' })
  const firstMotion = await page.evaluate(firstMotionIn)
  await gone
  return readTrace((await browser.stopTracing()).toString(), firstMotion)
}

/** When something of the splash begins to move, in milliseconds. Runs in the page. */
function firstMotionIn(): number {
  const splash = document.getElementById('splash')
  const moving = splash?.getAnimations({ subtree: true }).map((one) => one.effect?.getTiming())
  // What is there for all of it, as its clock is, moves nothing at first.
  return Math.min(...(moving ?? []).map((one) => Number(one?.delay)).filter((delay) => delay > 0))
}
