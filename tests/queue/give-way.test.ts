import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { giveWay } from '../../src/queue/sending-round.ts'

/** Whether letters go on before a visitor has waited a tenth of a second, in one of so many tries. */
async function areLettersFirst(tries: number): Promise<boolean> {
  let isFirst = false
  for (let n = 0; n < tries && !isFirst; n++) {
    const never = new AbortController()
    const letters = giveWay(never.signal).then(() => true)
    isFirst = await Promise.race([letters, sleep(100).then(() => false)])
    never.abort()
    await letters
  }
  return isFirst
}

it('letters go on at once where nobody visits', async () => {
  // Most tries may fail on a machine that is busy itself.
  expect(await areLettersFirst(100)).toBe(true)
})

it('letters wait while the server has its hands full', async () => {
  let isBusy = true
  const visit = () => {
    const until = performance.now() + 1
    while (performance.now() < until);
    if (isBusy) setImmediate(visit)
  }
  visit()
  expect(await areLettersFirst(5)).toBe(false)
  isBusy = false
})

it('nothing is waited for once the server closes', async () => {
  const closing = AbortSignal.abort()
  expect(
    await Promise.race([giveWay(closing).then(() => 'closed'), sleep(0).then(() => 'waited')]),
  ).toBe('closed')
})
