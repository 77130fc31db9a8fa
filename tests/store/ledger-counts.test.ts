/** @module-tag thorough */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { balanceOf } from '../../src/announcement/balance.ts'
import { enlistEveryone } from '../../src/announcement/enlist.ts'
import type { ClaimedDelivery } from '../../src/store/delivery-ledger.ts'
import type { Store } from '../../src/store/store.ts'
import { emptySqlite } from '../fixtures/empty-sqlite.ts'
import { ids } from '../fixtures/keys.ts'
import { suppressedOf, tallyOf } from '../fixtures/tally.ts'
import { person } from './contracts/people.ts'

const letter = { subject: 'We are live', digest: 'one' }
const HOUR = 3_600_000

/** What can happen to an announcement, to somebody by their place among some. */
const happenings = {
  join: (store: Store, n: number) => store.list.add(person(n).email),
  robot: (store: Store, n: number) => store.list.add(person(n).email, { suspicion: 'too-quick' }),
  leave: (store: Store, n: number) => store.standings.unsubscribe(ids.of(person(n).email)),
  release: (store: Store, n: number) => store.quarantine.release([person(n).email]),
  forget: (store: Store, n: number) => store.standings.forget(person(n).email),
}

const ends = ['sent', 'failed', 'uncertain', 'queued', 'returned'] as const

function resultOf({ number, tries }: ClaimedDelivery, status: (typeof ends)[number]) {
  const row = { number, tries }
  if (status === 'returned') return { ...row, status }
  if (status === 'queued') return { ...row, status, answer: '451', dueAt: new Date() }
  return { ...row, status, answer: '250' }
}

const step = fc.oneof(
  fc.record({
    what: fc.constantFrom(...(Object.keys(happenings) as (keyof typeof happenings)[])),
    n: fc.integer({ min: 1, max: 8 }),
  }),
  fc.record({
    what: fc.constantFrom('untried' as const, 'tried' as const),
    end: fc.option(fc.constantFrom(...ends)),
  }),
  fc.record({ what: fc.constantFrom('begin', 'die', 'failed', 'uncertain') }),
)

it('who was left out after a try, and is decided again, counts as tried', async () => {
  const store = await emptySqlite()
  const [owner, one] = ['me', person(1)]
  await store.lock.acquire({ owner, host: 'here', pid: 1 }, HOUR)
  await store.list.importAll([one])
  const enlisted = async () => {
    const begun = await store.ledger.begin(owner, 'launch', letter, true)
    await enlistEveryone(store, owner, begun, {}, () => {})
  }
  await enlisted()
  const claim = (which: 'untried' | 'tried') =>
    store.ledger.claim(owner, 'launch', { limit: 1, which })
  const put = (await claim('untried')).map((row) => resultOf(row, 'queued'))
  await store.ledger.record(owner, 'launch', put)
  await store.standings.unsubscribe(ids.of(one.email))
  await store.list.add(one.email, { suspicion: 'too-quick' })
  expect(await claim('tried')).toEqual([])
  expect(await suppressedOf(store, 'launch')).toMatchObject({ quarantined: 1 })
  await store.quarantine.release([one.email])
  await enlisted()
  expect(await tallyOf(store, 'launch')).toMatchObject({ queued: 1, untried: 0 })
  expect(await tallyOf(store, 'launch')).toEqual(await store.ledger.counted('launch'))
})

it('what is counted with each change is what the rows are, whatever happens in whatever order, and adds up with the people', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const store = await emptySqlite()
      let owner = 'run 0'
      await store.lock.acquire({ owner, host: 'here', pid: 1 }, HOUR)
      await store.list.importAll([1, 2, 3, 4].map(person))
      const begin = async () => {
        await store.ledger.settle(owner, 'launch')
        const begun = await store.ledger.begin(owner, 'launch', letter, true)
        if (begun.eligible === undefined) {
          await enlistEveryone(store, owner, begun, {}, () => {}).catch(() => {})
          expect(await store.ledger.findAnnouncement('launch')).not.toMatchObject({
            eligible: undefined,
          })
        }
      }
      await begin()
      for (const [i, one] of steps.entries()) {
        if ('n' in one) await happenings[one.what](store, one.n)
        else if ('end' in one) {
          const claimed = await store.ledger.claim(owner, 'launch', { limit: 2, which: one.what })
          const end = one.end
          if (end)
            await store.ledger.record(
              owner,
              'launch',
              claimed.map((row) => resultOf(row, end)),
            )
        } else if (one.what === 'begin') await begin()
        else if (one.what === 'die') {
          const dead = owner
          owner = `run ${i + 1}`
          await store.lock.acquire({ owner, host: 'here', pid: 1 }, HOUR, dead)
          await store.ledger.settle(owner, 'launch')
        } else await store.ledger.requeue(owner, 'launch', one.what as 'failed' | 'uncertain')
        const [found] = await store.ledger.announcements()
        if (!found) throw new Error('There is no announcement.')
        const counted = await store.ledger.counted('launch')
        expect(found.tally).toEqual(counted)
        const { eligible, rows } = balanceOf(found, counted)
        expect(rows).toBe(eligible)
        const sum = Object.values(found.suppressed).reduce((all, number) => all + number, 0)
        expect(sum).toBe(found.tally.suppressed)
      }
    }),
    { numRuns: 30 },
  )
})
