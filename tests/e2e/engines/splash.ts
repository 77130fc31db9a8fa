import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from '@playwright/test'
import { look, type Seen } from './look.ts'
import { glance, type Tab } from './tab.ts'

type Opened = Pick<Tab, 'open' | 'evaluate'>

/**
 * Asks for the page, and sets the marks that the splash is measured by.
 *
 * @returns how it looks with the splash on it, once it is painted.
 */
export async function openSplash(tab: Opened, url: string): Promise<Seen> {
  await tab.open(url)
  let seen: Seen | undefined
  const isPainted = async () => {
    const now = await glance(tab, look)
    if (!('splash' in now) || now.firstPaint === undefined) return false
    seen = now as Seen
    // On a busy machine it may be over before it is looked at, and marked: then it is asked for anew.
    const { isMissed, isMarked } = await glance(tab, setMarks, MARKS)
    if (isMissed) await tab.open(url)
    return isMarked
  }
  await expect.poll(isPainted).toBe(true)
  return seen as Seen
}

/** What is there from the splash's first frame, and goes so many milliseconds later. */
const MARKS = { before: 4900, after: 5500 }

/**
 * Watches the splash until it is gone, and holds how long it was there against the 5000 ms.
 *
 * Two marks that go a little before and a little after those are drawn in the same frames. A machine
 * that is busy, or has no graphics card, may be late with a frame, and is with all three.
 *
 * @param painted how it looked at first.
 */
export async function expectSplashToLast(tab: Opened, painted: Seen) {
  const { splash, firstPaint } = painted
  expect(splash.began, 'began with the first paint').toBeLessThan(Number(firstPaint) + 50)
  for (;;) {
    const shown = await tab.evaluate(whatIsShown)
    if (shown.before || shown.isEarly)
      expect(shown.splash && !shown.isEarly, `${MARKS.before} ms are not over`).toBe(true)
    if (!shown.after) {
      expect(shown.splash, `${MARKS.after} ms are over`).toBe(false)
      return
    }
    await sleep(50)
  }
}

function setMarks(marks: Record<string, number>) {
  const splash = document.getElementById('splash')
  const [clock] = splash?.getAnimations() ?? []
  const startTime = clock?.startTime
  if (!splash || getComputedStyle(splash).visibility !== 'visible') {
    // Said once of each page: the next one may be long in coming, too.
    const { dataset } = document.documentElement
    const isMissed = document.getElementById('root') !== null && dataset.isMissed === undefined
    if (isMissed) dataset.isMissed = ''
    return { isMissed, isMarked: false }
  }
  if (typeof startTime !== 'number') return { isMissed: false, isMarked: false }
  for (const [id, duration] of Object.entries(marks)) {
    const mark = document.documentElement.appendChild(document.createElement('i'))
    mark.id = id
    const frames = { visibility: ['visible', 'hidden'] }
    const animation = mark.animate(frames, { duration, easing: 'step-end', fill: 'forwards' })
    animation.startTime = startTime
  }
  // Between two looks of ours a busy machine has time for a splash that goes early. Without script, nobody tells.
  new MutationObserver(() => {
    const mark = document.getElementById('before')
    if (!splash.isConnected && mark && getComputedStyle(mark).visibility === 'visible')
      document.documentElement.dataset.isEarly = ''
  }).observe(document, { childList: true, subtree: true })
  return { isMissed: false, isMarked: true }
}

function whatIsShown() {
  const isShown = (id: string) => {
    const element = document.getElementById(id)
    return element !== null && getComputedStyle(element).visibility === 'visible'
  }
  const isEarly = document.documentElement.dataset.isEarly !== undefined
  return { splash: isShown('splash'), before: isShown('before'), after: isShown('after'), isEarly }
}

/**
 * Opens the page, and draws its splash afresh, in which no animation is over and so out of reach, and
 * lets it stand still. Where a busy machine comes when it is gone, the page is asked for anew: the
 * backdrop beneath it has candlesticks too.
 */
export async function holdSplash(tab: Tab, url: string) {
  await expect
    .poll(async () => {
      await openSplash(tab, url)
      return tab.evaluate(() => {
        const splash = document.getElementById('splash')
        splash?.replaceWith(splash.cloneNode(true))
        for (const animation of document.getAnimations()) animation.pause()
        return splash !== null
      })
    })
    .toBe(true)
}

/** Moves a splash that stands still on, as it is so many milliseconds after it began. */
export function moveSplashTo(tab: Tab, time: number) {
  return tab.evaluate((time) => {
    for (const animation of document.getAnimations()) animation.currentTime = time
  }, time)
}
