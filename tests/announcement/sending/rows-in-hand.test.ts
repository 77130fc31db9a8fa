import { expect, it, vi } from 'vitest'
import type { SendingPolicy } from '../../../src/announcement/sending/retry-policy.ts'
import { Hand } from '../../../src/announcement/sending/rows-in-hand.ts'
import type { DeliveryLedger } from '../../../src/store/store.ts'

const HOUR_MS = 3_600_000

/** A hand over a ledger that gives no rows, and says which were asked for. */
function emptyHanded({ tried = 0, nextRetry = new Date(), poll = HOUR_MS } = {}) {
  const asked: string[] = []
  const store = {
    claim: async (_owner: string, _id: string, { which }: { which: string }) => {
      asked.push(which)
      return []
    },
    record: async () => {},
    nextRetry: async () => nextRetry,
  } as unknown as DeliveryLedger
  const waits = vi.fn()
  const held = new Hand({
    store,
    owner: 'me',
    id: 'launch',
    untried: 0,
    tried,
    retryPolicy: { store: 0, poll } as SendingPolicy,
    onResult: () => {},
    onWait: waits,
  })
  const turn = () => (held.mayHaveMore() ? held.claim(1) : held.note())
  return { held, asked, waits, turn }
}

const putOff = { number: 1, tries: 1, status: 'queued', answer: '451' } as const

it('rows that were tried before are asked for where there are any, and not again before they may be due', async () => {
  const { asked, turn } = emptyHanded({ tried: 1 })
  for (let n = 0; n < 3; n += 1) await turn()
  expect(asked).toEqual(['tried'])
  const none = emptyHanded()
  await none.turn()
  expect(none.asked).toEqual([])
})

it('rows that were tried before are asked for again where none was due, without waiting for the others', async () => {
  const { asked, turn } = emptyHanded({ tried: 1, poll: 0 })
  for (let n = 0; n < 3; n += 1) await turn()
  expect(asked).toEqual(['tried', 'tried', 'tried'])
})

it('a row that is put off is one that was tried, from the moment that this is noted', async () => {
  const { held, asked, turn } = emptyHanded()
  held.end({ ...putOff, dueAt: new Date() })
  await turn()
  expect(asked).toEqual([])
  await turn()
  expect(asked).toEqual(['tried'])
})

it('nothing is asked for before the next try is due, which somebody is told', async () => {
  const { held, asked, waits, turn } = emptyHanded({ nextRetry: new Date(Date.now() + HOUR_MS) })
  await held.nextRetry()
  expect(waits).toHaveBeenCalledExactlyOnceWith({ code: 'retry', people: 1 })
  await turn()
  expect(asked).toEqual([])
  const due = emptyHanded({ nextRetry: new Date(Date.now() - 1) })
  await due.held.nextRetry()
  await due.turn()
  expect(due.asked).toEqual(['tried'])
})
