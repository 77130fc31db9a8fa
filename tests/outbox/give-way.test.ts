import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { giveWay } from '../../src/outbox/rounds.ts'

const TIMES = 5

/** How often letters go on before a visitor has waited a tenth of a second. */
async function timesLettersWereFirst(): Promise<number> {
  let first = 0
  for (let n = 0; n < TIMES; n++) {
    const never = new AbortController()
    const letters = giveWay(never.signal).then(() => 1)
    first += await Promise.race([letters, sleep(100).then(() => 0)])
    never.abort()
    await letters
  }
  return first
}

it('letters go on at once where nobody visits', async () => {
  expect(await timesLettersWereFirst()).toBeGreaterThan(0)
})

it('letters wait while the server has its hands full', async () => {
  let isBusy = true
  const visit = () => {
    const until = performance.now() + 1
    while (performance.now() < until);
    if (isBusy) setImmediate(visit)
  }
  visit()
  expect(await timesLettersWereFirst()).toBe(0)
  isBusy = false
})

it('nothing is waited for once the server closes', async () => {
  const closing = AbortSignal.abort()
  expect(
    await Promise.race([giveWay(closing).then(() => 'closed'), sleep(0).then(() => 'waited')]),
  ).toBe('closed')
})
