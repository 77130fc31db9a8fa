/** @module-tag thorough */

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { DeliveryLedger, Store } from '../../../src/store/store.ts'
import { setStage } from '../../fixtures/stage.ts'
import { tallyOf } from '../../fixtures/tally.ts'
import { people, person } from '../../store/contracts/people.ts'

const CONNECTIONS = 5
const COUNT = 120
const emails = people(COUNT).map(({ email }) => email)

/** A store whose claims take their time. */
const slow = (store: Store): Store => ({
  ...store,
  ledger: {
    ...store.ledger,
    async claim(...wanted: Parameters<DeliveryLedger['claim']>) {
      await sleep(50)
      return store.ledger.claim(...wanted)
    },
  },
})

describe('rows that are claimed', () => {
  it('are no more than there are connections', async () => {
    const { store, run } = await setStage(COUNT)
    let most = 0
    async function claim(...wanted: Parameters<DeliveryLedger['claim']>) {
      const claimed = await store.ledger.claim(...wanted)
      most = Math.max(most, (await tallyOf(store, 'launch')).sending)
      return claimed
    }
    await run({ store: { ...store, ledger: { ...store.ledger, claim } } })
    expect(most).toBeLessThanOrEqual(CONNECTIONS)
  })

  it('are in the queue again, never tried, when the run is interrupted as they are claimed', async () => {
    const stop = new AbortController()
    const { store, run, inboxes, mailer } = await setStage(COUNT)
    let [claims, late] = [0, 0]
    async function claim(...wanted: Parameters<DeliveryLedger['claim']>) {
      const claimed = await store.ledger.claim(...wanted)
      if (++claims === 4) stop.abort()
      return claimed
    }
    const { why, balance } = await run({
      store: { ...store, ledger: { ...store.ledger, claim } },
      signal: stop.signal,
      mailer: {
        ...mailer,
        send(mail) {
          if (stop.signal.aborted) late += 1
          return mailer.send(mail)
        },
      },
    })
    expect([why, late]).toEqual(['interrupted', 0])
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
      store: slow(store),
      mailer,
      holder: { owner: 'this', host: 'here', pid: 2 },
    })
    await expect(lost).rejects.toMatchObject({ why: { code: 'overtaken' } })
    const { sent, untried, sending, uncertain } = await tallyOf(store, 'launch')
    expect({ sent, untried, sending, uncertain }).toEqual({
      sent: inboxes().length,
      untried: COUNT - inboxes().length,
      sending: 0,
      uncertain: 0,
    })
    expect(sent).toBeLessThan(40 + CONNECTIONS)
    await run({ insteadOf: 'other' })
    expect(inboxes().toSorted()).toEqual(emails.toSorted())
  })
})
