import { expect } from 'vitest'
import { type OpeningBody, paths } from '../../../../src/shared/api.ts'
import { amount } from '../../form.ts'
import type { Life } from '../life.ts'

const PRODUCT = 'https://app.example.org/'
const AHEAD_MS = amount(2500, 10_000)
/** A server promises a second, and a busy machine takes its own. */
const TURNS_WITHIN_MS = 5000

async function opensTo({ house, random }: Life) {
  const answer = await fetch(house.url(random()) + paths.opening)
  const body = (await answer.json()) as OpeningBody
  return body.open
}

/** The page is to open at a time, does, and the founder takes it back. */
export async function openAtTime(life: Life) {
  const at = new Date(Date.now() + AHEAD_MS)
  const time = `${at.toISOString().slice(0, 19)}Z`
  await life.command(['open', PRODUCT, '--at', time])
  const before = await opensTo(life)
  if (Date.now() < Date.parse(time)) expect(before).toBe(undefined)
  const timeout = AHEAD_MS + TURNS_WITHIN_MS
  await expect.poll(() => opensTo(life), { timeout }).toBe(PRODUCT)
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(time))
  await life.command(['open', '--undo'])
  await expect.poll(() => opensTo(life), { timeout: TURNS_WITHIN_MS }).toBe(undefined)
}

/** It opens now, and stays open whatever comes. */
export async function open(life: Life) {
  await life.command(['open', PRODUCT])
  await expect.poll(() => opensTo(life), { timeout: TURNS_WITHIN_MS }).toBe(PRODUCT)
}
