/** @module-tag thorough */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { DeliveryLedger } from '../../../src/store/delivery-ledger.ts'
import { LockLost } from '../../../src/store/run-lock.ts'
import type { Store } from '../../../src/store/store.ts'
import { ids } from '../../fixtures/keys.ts'
import { quiet, setStage } from '../../fixtures/stage.ts'
import { people, person } from '../../store/contracts/people.ts'

const AHEAD = 20
const COUNT = 120
const emails = people(COUNT).map(({ email }) => email)

/** A store that is far away: a claim takes its time, and so rows are claimed ahead. */
const farAway = (store: Store): Store => ({
  ...store,
  ledger: {
    ...store.ledger,
    claiming: { roundTrips: 3, ahead: AHEAD },
    async claim(...wanted) {
      await sleep(50)
      return store.ledger.claim(...wanted)
    },
  },
})

describe('rows that are claimed ahead of their turn', () => {
  it('are no more than the ledger says, and there are some', async () => {
    const { store, run, inboxes } = await setStage(COUNT)
    const distant = farAway(store)
    let most = 0
    async function claim(...wanted: Parameters<DeliveryLedger['claim']>) {
      const claimed = await distant.ledger.claim(...wanted)
      most = Math.max(most, (await store.ledger.tally('launch')).sending)
      return claimed
    }
    const { balance } = await run({ store: { ...distant, ledger: { ...distant.ledger, claim } } })
    expect(balance).toMatchObject({ holds: true, tally: { sent: COUNT } })
    expect(inboxes().toSorted()).toEqual(emails.toSorted())
    expect(most).toBeGreaterThan(5)
    expect(most).toBeLessThanOrEqual(5 + AHEAD)
  })

  it('are none where the ledger is near', async () => {
    const { store, run } = await setStage(COUNT)
    let most = 0
    async function claim(...wanted: Parameters<DeliveryLedger['claim']>) {
      const claimed = await store.ledger.claim(...wanted)
      most = Math.max(most, (await store.ledger.tally('launch')).sending)
      return claimed
    }
    await run({ store: { ...store, ledger: { ...store.ledger, claim } } })
    expect(most).toBeLessThanOrEqual(5)
  })

  it('are in the queue again, never tried, when the run is interrupted', async () => {
    const stop = new AbortController()
    const { store, run, inboxes } = await setStage(COUNT)
    let sent = 0
    const result = () => ++sent === 40 && stop.abort()
    const { why, balance } = await run({
      store: farAway(store),
      signal: stop.signal,
      on: { ...quiet, result },
    })
    expect(why).toBe('interrupted')
    const { tally } = balance
    expect(tally.sent).toBe(inboxes().length)
    expect(tally).toMatchObject({ queued: COUNT - tally.sent, untried: COUNT - tally.sent })
    expect(balance.holds).toBe(true)
    await run()
    expect(inboxes().toSorted()).toEqual(emails.toSorted())
  })

  it('are not sent once the lock is lost, but left to who has it', async () => {
    const { store, run, inboxes, oneByOne } = await setStage(COUNT)
    const other = { owner: 'other', host: 'there', pid: 1 }
    const mailer = oneByOne(async (to) => {
      if (to === person(40).email) await store.lock.acquire(other, 60_000, 'this')
    })
    const lost = run({
      store: farAway(store),
      mailer,
      holder: { owner: 'this', host: 'here', pid: 2 },
    })
    await expect(lost).rejects.toThrow(LockLost)
    const { sent, untried, sending, uncertain } = await store.ledger.tally('launch')
    expect({ sent, untried, sending, uncertain }).toEqual({
      sent: inboxes().length,
      untried: COUNT - inboxes().length,
      sending: 0,
      uncertain: 0,
    })
    expect(sent).toBeLessThan(40 + AHEAD)
    await run({ insteadOf: 'other' })
    expect(inboxes().toSorted()).toEqual(emails.toSorted())
  })

  it('go back after some seconds, so that who has left meanwhile is not written to', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { store, run, inboxes, oneByOne } = await setStage(COUNT)
    let left: string[] = []
    const mailer = oneByOne(async (to) => {
      if (left.length > 0) return
      const waiting: string[] = []
      for await (const { email } of store.ledger.deliveries('launch', 'sending'))
        if (email !== undefined && email !== to && !inboxes().includes(email)) waiting.push(email)
      if (waiting.length < 3) return
      left = waiting
      await store.standings.unsubscribe(ids.of(left[0] ?? ''))
      await store.standings.forget(left[1] ?? '')
      vi.setSystemTime(Date.now() + 5_000)
    })
    const { balance } = await run({ store: farAway(store), mailer })
    expect(left.length).toBeGreaterThan(2)
    const told = emails.filter((email) => !left.slice(0, 2).includes(email))
    expect(inboxes().toSorted()).toEqual(told.toSorted())
    expect(balance).toMatchObject({
      holds: true,
      tally: { sent: COUNT - 2, suppressed: 1, forgotten: 1 },
    })
  })
})
