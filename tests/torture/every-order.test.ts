/** @module-tag thorough */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { emptySqlite } from '../fixtures/empty-sqlite.ts'
import { actsOf, everyOrder } from './every-order.ts'
import { amount, chance, report, seed } from './form.ts'

const ORDERS = amount(30, 500)
const EVENTS = 30

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 2, 1) })
})
afterEach(() => {
  vi.useRealTimers()
})

it('tells those alone who are to be told, in whatever order they sign up, are asked, answer, leave and come back', {
  timeout: amount(120_000, 1_800_000),
}, async (context) => {
  let letters = 0
  const step = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000)
  for (let n = 0; n < ORDERS; n++) {
    const store = await emptySqlite()
    try {
      letters += (await everyOrder(store, chance(seed + n), EVENTS, step, actsOf(n))).letters
    } catch (cause) {
      throw new Error(`seed ${seed}, order ${n}: ${(cause as Error).message}`, { cause })
    } finally {
      await store.close()
    }
  }
  expect(letters).toBeGreaterThan(ORDERS)
  report(context, {
    done: 'events in any order: sign-ups, answers, unsubscribes, forgetting, imports, ask, signs, release, erase, 14 days',
    times: ORDERS * EVENTS,
    result: `list, receipts and announcement as a reference model says; ${letters.toLocaleString('en')} letters, none too soon (seed ${seed})`,
  })
})
