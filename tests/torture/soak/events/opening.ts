import { expect } from 'vitest'
import { type OpeningBody, paths } from '../../../../src/shared/api.ts'
import { amount } from '../../form.ts'
import type { Life } from '../life.ts'

const PRODUCT = 'https://app.example.org/'
const AHEAD_MS = amount(2500, 10_000)
/** A server promises a second; this is against hanging. */
const TURNS_WITHIN_MS = 30_000

async function opensTo({ house, random }: Life) {
  const answer = await fetch(house.url(random()) + paths.opening)
  const body = (await answer.json()) as OpeningBody
  return body.open
}

/** The page is to open at a time, does, and the founder takes it back. */
export async function openAtTime(life: Life) {
  const at = await plan(life)
  const before = await opensTo(life)
  if (Date.now() < at) expect(before).toBe(undefined)
  const timeout = Math.max(0, at - Date.now()) + TURNS_WITHIN_MS
  await expect.poll(() => opensTo(life), { timeout }).toBe(PRODUCT)
  expect(Date.now()).toBeGreaterThanOrEqual(at)
  await life.command(['open', '--undo'])
  await expect.poll(() => opensTo(life), { timeout: TURNS_WITHIN_MS }).toBe(undefined)
}

/** @returns when it is to open. Later each time, until the command comes before it. */
async function plan({ command }: Life): Promise<number> {
  for (let ahead = AHEAD_MS; ; ahead *= 2) {
    const time = `${new Date(Date.now() + ahead).toISOString().slice(0, 19)}Z`
    const said = await command(['open', PRODUCT, '--at', time], {}, [0, 1])
    if (!said.includes('is in the past')) return Date.parse(time)
  }
}

/** It opens now, and stays open whatever comes. */
export async function open(life: Life) {
  await life.command(['open', PRODUCT])
  await expect.poll(() => opensTo(life), { timeout: TURNS_WITHIN_MS }).toBe(PRODUCT)
}
