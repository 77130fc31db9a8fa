import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { amount } from '../../form.ts'
import type { Life } from '../life.ts'

const FULL_MS = amount(300, 5000)

/** There is no room for a while: visitors are told so, and nothing that was promised is lost. */
export async function fullDisk({ house, trouble, people, random, hasDisk }: Life) {
  if (!hasDisk) return
  const file = join(trouble, 'full')
  const isReady = async () => (await fetch(`${house.url(random())}/readyz`)).status
  writeFileSync(file, '')
  try {
    await expect.poll(isReady, { timeout: 30_000 }).toBe(503)
    await sleep(FULL_MS)
    expect((await fetch(house.url(random()))).status, 'the page').toBe(200)
  } finally {
    rmSync(file)
  }
  await expect.poll(isReady, { timeout: 30_000 }).toBe(200)
  expect(people.broken.join('\n')).toBe('')
}
