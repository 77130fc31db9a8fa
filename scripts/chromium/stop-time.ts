import type { CDPSession } from '@playwright/test'

/** Stops the clock of all animations of a page: what waits for one then waits for ever. */
export async function stopTime(devtools: CDPSession): Promise<void> {
  await devtools.send('Animation.enable')
  await devtools.send('Animation.setPlaybackRate', { playbackRate: 0 })
}
