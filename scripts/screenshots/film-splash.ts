import type { Page } from '@playwright/test'
import { endSplash, LENGTH, openSplash, showAt } from '../chromium/splash-time.ts'
import type { Frame } from './animated-webp.ts'

const STEP = 70
/** How long the page that the splash has led to is looked at. */
const LAST = 3500

/** Films the splash and what follows it, each frame at its own moment. */
export async function filmSplash(page: Page, url: string): Promise<Frame[]> {
  const frames: Frame[] = []
  const shootTo = async (end: number) => {
    for (let time = 0; time <= end; time += STEP) {
      const png = await showAt(page, time)
      const last = frames.at(-1)
      if (last?.png.equals(png)) frames[frames.length - 1] = { png, duration: last.duration + STEP }
      else frames.push({ png, duration: STEP })
    }
  }
  await openSplash(page, url)
  await shootTo(LENGTH - 1)
  await shootTo(await endSplash(page))
  const last = frames.pop()
  return last ? [...frames, { png: last.png, duration: LAST }] : frames
}
