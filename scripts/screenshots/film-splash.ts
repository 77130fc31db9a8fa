import type { Page } from '@playwright/test'
import type { Frame } from './animated-webp.ts'

const STEP = 70
/** How long the page that the splash has led to is looked at. */
const LAST = 3500

/** Films the splash and what follows it, each frame at its own moment however slow the machine is. */
export async function filmSplash(page: Page, url: string): Promise<Frame[]> {
  const frames: Frame[] = []
  const shoot = async () => {
    const png = await page.screenshot()
    const last = frames.at(-1)
    if (last?.png.equals(png)) frames[frames.length - 1] = { png, duration: last.duration + STEP }
    else frames.push({ png, duration: STEP })
  }

  // A slow machine takes longer to load the page than the splash takes.
  await page.addInitScript(() => {
    addEventListener('animationstart', () => {
      for (const animation of document.getAnimations()) animation.pause()
    })
  })
  await page.goto(url)
  const splash = page.locator('#splash')
  const length = await splash.evaluate((element) => {
    const [clock] = element.getAnimations()
    return Number(clock?.effect?.getComputedTiming().endTime)
  })
  for (let time = 0; time < length; time += STEP) {
    await moveTo(page, time)
    await shoot()
  }
  await splash.evaluate((element) => {
    for (const clock of element.getAnimations()) clock.finish()
  })
  await splash.waitFor({ state: 'detached' })
  // What its removal has set off.
  const after = await moveTo(page, 0)
  for (let time = 0; time <= after; time += STEP) {
    await moveTo(page, time)
    await shoot()
  }
  const last = frames.pop()
  return last ? [...frames, { png: last.png, duration: LAST }] : frames
}

/** Holds everything at a moment. @returns when the last of it is over, in milliseconds. */
function moveTo(page: Page, time: number): Promise<number> {
  return page.evaluate((time) => {
    const ends = document.getAnimations().map((animation) => {
      animation.pause()
      animation.currentTime = time
      return Number(animation.effect?.getComputedTiming().endTime ?? 0)
    })
    return Math.max(0, ...ends.filter(Number.isFinite))
  }, time)
}
