import { expect } from 'vitest'
import { tempDir } from '../../../fixtures/temp-dir.ts'
import type { Life } from '../life.ts'

/**
 * A new version, which has one more promise: whoever signs up has to confirm it. The server is stopped,
 * the list is copied, and the new one brings it up as it begins.
 */
export async function update(life: Life) {
  const { house, command } = life
  await house.whileDown(async () => {
    await command(['backup', '--to', tempDir()])
    life.asks()
  })
  expect((await fetch(`${house.url(0)}/readyz`)).status).toBe(200)
}
