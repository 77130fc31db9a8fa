import type { Page } from '@playwright/test'

/** What a visitor saw of a splash. */
export interface SplashSeen {
  /** From the first paint until its node is gone, in milliseconds. */
  readonly length: number
  /** Of the frames that were to show something new, the share in per cent that came late or never. */
  readonly lostFrames: number
}

/** A time in which something moves, in milliseconds after the first paint. */
interface Motion {
  readonly from: number
  readonly to: number
}

const categories = [
  'loading',
  'blink.user_timing',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
]

/**
 * Watches a splash from its first paint until it is gone, from the browser's own trace.
 *
 * @param slowdown how many times slower than it is the machine shall seem.
 */
export async function watchSplash(page: Page, url: string, slowdown: number): Promise<SplashSeen> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.addInitScript(markEnd)
  const browser = page.context().browser()
  if (!browser) throw new Error('a page of no browser has no trace')
  await browser.startTracing(page, { categories })
  // The page reports it: polling, or waiting for "load", would run script during the animation.
  const gone = page.waitForEvent('console', (message) => message.text() === 'splash gone')
  await page.goto(url, { waitUntil: 'commit' })
  const motions = await page.evaluate(motionsIn)
  await gone
  return readTrace((await browser.stopTracing()).toString(), motions)
}

/** Marks on the page's timeline, and says on its console, when the splash is gone. Runs in the page. */
function markEnd() {
  let seen = false
  new MutationObserver((_, observer) => {
    const isThere = document.getElementById('splash') !== null
    if (seen && !isThere) {
      performance.mark('splash gone')
      console.log('splash gone')
      observer.disconnect()
    }
    seen ||= isThere
  }).observe(document, { childList: true, subtree: true })
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

/** Its time is in microseconds. */
interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly ts: number
  readonly args: {
    readonly frame_reporter?: FrameReport
    readonly chrome_frame_reporter?: FrameReport
  }
}

/** How a frame of the compositor went; one whose main thread was late has two of them. */
interface FrameReport {
  readonly state: string
  readonly frame_sequence: number
  readonly affects_smoothness: boolean
  readonly has_compositor_animation: boolean
}

/**
 * A frame is lost when the compositor had an animation to move on and did not show it in time: its
 * report says that it was dropped and that this affects smoothness. One that was shown while the
 * main thread was late is not lost, since nothing here waits for the main thread; nor is one while
 * animations are under way in which nothing moves, as before the first and in the quiet moment.
 */
function readTrace(trace: string, motions: readonly Motion[]): SplashSeen {
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] }
  const paint = traceEvents.find(({ name }) => name === 'firstPaint')
  const gone = traceEvents.find(({ name }) => name === 'splash gone')
  if (!paint || !gone) throw new Error('The trace has no whole splash.')
  const shown = new Set<number>()
  const lost = new Set<number>()
  for (const { name, ph, pid, ts, args } of traceEvents) {
    const report = args.frame_reporter ?? args.chrome_frame_reporter
    if (name !== 'PipelineReporter' || ph !== 'b' || pid !== paint.pid || !report) continue
    const at = (ts - paint.ts) / 1000
    if (ts > gone.ts || !motions.some(({ from, to }) => at >= from && at <= to)) continue
    const { state, frame_sequence, affects_smoothness, has_compositor_animation } = report
    const moves = affects_smoothness && has_compositor_animation
    if (state.startsWith('STATE_PRESENTED')) shown.add(frame_sequence)
    else if (state === 'STATE_DROPPED' && moves) lost.add(frame_sequence)
  }
  const missing = lost.difference(shown).size
  return {
    length: (gone.ts - paint.ts) / 1000,
    lostFrames: (missing * 100) / (shown.size + missing),
  }
}
