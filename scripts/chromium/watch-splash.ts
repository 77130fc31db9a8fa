import type { Page } from '@playwright/test'
import { markSplashEnd } from './mark-splash-end.ts'
import { type Motion, readTrace, type SplashSeen, traceCategories } from './trace.ts'

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
  const motions = await page.evaluate(motionsIn)
  await gone
  return readTrace((await browser.stopTracing()).toString(), motions)
}

/** When something of the splash moves, in milliseconds. Runs in the page. */
function motionsIn(): Motion[] {
  const animations = document.getElementById('splash')?.getAnimations({ subtree: true }) ?? []
  return animations.flatMap((one) => {
    // The clock moves nothing.
    if ((one as CSSAnimation).animationName === 'splash-clock') return []
    const { delay = 0, endTime = delay } = one.effect?.getComputedTiming() ?? {}
    return [{ from: delay, to: Number(endTime) }]
  })
}
