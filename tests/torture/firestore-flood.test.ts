/** @module-tag long */
import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { StoreUnavailable } from '../../src/store/subscriber-store.ts'
import { countingOperations } from '../emulators/count-operations.ts'
import { firestoreRest } from '../emulators/firestore-rest.ts'
import { withFirestoreEmulator } from '../emulators/with-emulators.ts'
import { ids } from '../fixtures/keys.ts'
import { person } from '../store/contracts/people.ts'
import { openFirestore } from '../store/every-store.ts'
import { floodgate } from '../store/firestore/flood.ts'
import { amount, report } from './form.ts'

const appId = 'our-product'
const evil = 'evil@example.com'
const ada = 'ada@example.com'
const HOUR = 3_600_000
/**
 * The emulator looks at every record for each question. With 100,000 of them, on a busy machine, it
 * gave no answer within the ten seconds that the store waits.
 */
const RECORDS = amount(4000, 40_000)

describe('an address that somebody left thousands of times', { timeout: 1_800_000 }, () => {
  const emulator = withFirestoreEmulator()

  function stage() {
    const { origin } = emulator()
    const project = `demo-${randomUUID()}`
    const store = openFirestore(origin, project, { appId })
    const flood = floodgate(origin, project, appId)
    onTestFinished(async () => {
      await Promise.all([store.close(), flood.close()])
      await firestoreRest(origin, project).clear()
    })
    return { store, ...flood }
  }

  it('is looked up, listed, told and erased like any other', async (context) => {
    const { store, signUp, records } = stage()
    await store.list.add(ada)
    await store.list.add(evil)
    await store.standings.unsubscribe(ids.of(ada))
    await store.standings.forget(evil)
    await signUp(RECORDS, () => evil)
    const { reads: none } = (await countingOperations(async () => {})).operations
    expect(none).toBe(0)

    /** What it gives, for so many reads at most. */
    async function within<T>(most: number, work: () => Promise<T>): Promise<T> {
      const { result, operations } = await countingOperations(work)
      expect(operations.reads).toBeLessThanOrEqual(most)
      return result
    }

    const since = await within(2, () => store.list.find(evil))
    expect(since?.email).toBe(evil)
    expect(await within(4, () => store.standings.of(evil))).toBeUndefined()
    const listed = await within(2000 + RECORDS / 1000 + 20, async () => {
      const all = []
      for await (const one of store.list.stream({ standing: 'all' })) all.push(one)
      return all
    })
    expect(listed.map(({ email, standing }) => [email, standing])).toEqual([
      [ada, 'unsubscribed'],
      [evil, 'subscribed'],
    ])
    expect(listed[1]?.subscribedAt).toEqual(since?.subscribedAt)

    await store.lock.acquire({ owner: 'me', host: 'here', pid: 7 }, HOUR)
    await store.ledger.begin('me', 'launch', { subject: 'x', digest: 'x' })
    expect(await within(12, () => store.ledger.enlist('me', 'launch', listed))).toBe(2)
    const claim = () => store.ledger.claim('me', 'launch', { limit: 9, which: 'untried' })
    expect((await within(20, claim)).map(({ email }) => email)).toEqual([evil])

    expect(
      await within(30 + RECORDS / 1000, () =>
        store.list.importAll([person(1), { ...person(2), email: evil }]),
      ),
    ).toEqual(['added', 'known'])
    expect(
      await within(12, () => store.standings.set([{ email: evil, standing: 'bounced' }])),
    ).toEqual([true])
    expect(await store.standings.of(evil)).toMatchObject({ standing: 'bounced' })

    const { result, operations } = await countingOperations(() => store.standings.forget(evil))
    expect(result).toEqual({ wasSubscriber: true, wasAsked: false, deliveries: 1 })
    expect(operations.reads).toBeLessThan(1.1 * RECORDS + 50)
    expect((await records.count().get()).data().count).toBe(2)
    expect(await store.list.find(evil)).toBeUndefined()
    expect(await store.standings.of(evil)).toMatchObject({ standing: 'forgotten' })
    report(context, {
      done: 'one address left in Firestore by somebody, then found, listed, told and forgotten',
      times: RECORDS,
      result: 'every question bounded, all of it erased',
    })
  })

  it('is forgotten in the end where that was stopped on the way', async () => {
    const { store, signUp, records, db } = stage()
    await store.list.add(evil)
    const since = await store.list.find(evil)
    await signUp(3000, () => evil)
    const batch = Object.getPrototypeOf(db.batch())
    const { commit } = batch
    let commits = 0
    const stopping = vi.spyOn(batch, 'commit').mockImplementation(async function (this: unknown) {
      commits += 1
      if (commits > 3) throw Object.assign(new Error('UNAVAILABLE'), { code: 14 })
      return commit.call(this)
    })
    onTestFinished(() => stopping.mockRestore())
    await expect(store.standings.forget(evil)).rejects.toThrow(StoreUnavailable)
    // Nothing is half forgotten: it is still the same subscriber.
    expect(await store.list.find(evil)).toEqual(since)
    expect(await store.standings.of(evil)).toBeUndefined()
    stopping.mockRestore()
    expect(await store.standings.forget(evil)).toEqual({
      wasSubscriber: true,
      wasAsked: false,
      deliveries: 0,
    })
    expect((await records.count().get()).data().count).toBe(0)
  })

  it('is listed once beside everybody else, wherever it stands in a page', async () => {
    const { store, signUp } = stage()
    const others = (n: number) => `${n % 2 ? 'aaa' : 'zzz'}${n}@example.com`
    await signUp(1500, others)
    await signUp(4500, () => 'mmm@example.com')
    await signUp(150, () => 'nnn@example.com')
    await signUp(2500, () => 'check-1@opening-bell.invalid')
    const found = []
    for await (const { email } of store.list.stream()) found.push(email)
    expect(found).toHaveLength(1502)
    expect(new Set(found).size).toBe(1502)
  })
})
