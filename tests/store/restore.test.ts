import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enlistEveryone } from '../../src/announcement/enlist.ts'
import type { DeliveryRow } from '../../src/store/restore-target.ts'
import type { Store } from '../../src/store/store.ts'
import { emptySqlite } from '../fixtures/empty-sqlite.ts'
import { ids } from '../fixtures/keys.ts'
import { restorePending } from '../fixtures/restore-pending.ts'
import { restoreKnown } from '../fixtures/restored.ts'
import { standingCounts } from '../fixtures/standing-counts.ts'
import { suppressedOf, tallyOf } from '../fixtures/tally.ts'
import { people, person } from './contracts/people.ts'

describe('the store, to which a copy is restored', () => {
  let store: Store
  beforeEach(async () => {
    store = await emptySqlite()
  })
  afterEach(() => store.close())

  const [early, late] = [new Date('2026-02-01T00:00:00Z'), new Date('2026-03-01T00:00:00Z')]
  const idOf = (n: number) => ids.of(person(n).email)
  const standingOf = (n: number) => store.standings.of(person(n).email)
  async function extras() {
    const found: Record<string, unknown> = {}
    for await (const { email, extra } of store.list.stream({ standing: 'all' }))
      found[email] = extra
    return found
  }

  it('takes nothing from a copy of nobody', async () => {
    await restoreKnown(store, [])
    await store.restore.deliveries('launch', [])
    await restorePending(store, [])
    expect(await standingCounts(store)).toMatchObject({ subscribed: 0, forgotten: 0 })
    expect(await store.ledger.announcements()).toEqual([])
  })

  it('knows what was known of addresses, with its time, its reason and its fields', async () => {
    await store.list.importAll(people(4))
    const bounced = { standing: 'bounced', at: early, detail: '550 no such user' } as const
    await restoreKnown(store, [
      { addressId: idOf(1), standing: bounced },
      { addressId: idOf(2), standing: { standing: 'unsubscribed', at: late }, extra: { a: 1 } },
      { addressId: idOf(3), extra: { city: 'Oslo' } },
      { addressId: idOf(9), standing: { standing: 'complained', at: early } },
    ])
    expect(await standingOf(1)).toEqual(bounced)
    expect(await standingOf(2)).toEqual({ standing: 'unsubscribed', at: late })
    expect(await standingOf(3)).toBeUndefined()
    expect(await standingOf(4)).toBeUndefined()
    // A stranger, who may sign up one day.
    expect(await standingOf(9)).toEqual({ standing: 'complained', at: early })
    expect(await extras()).toEqual({
      [person(1).email]: undefined,
      [person(2).email]: { a: 1 },
      [person(3).email]: { city: 'Oslo' },
      [person(4).email]: undefined,
    })
  })

  it('keeps what outranks the copy', async () => {
    await store.list.importAll(people(2))
    await store.standings.set([{ email: person(1).email, standing: 'complained', at: late }])
    const standing = { standing: 'bounced', at: early } as const
    for (let times = 0; times < 2; times++)
      await restoreKnown(store, [
        { addressId: idOf(1), standing, extra: { city: 'Oslo' } },
        { addressId: idOf(2), standing, extra: { city: 'Rome' } },
      ])
    expect(await standingOf(1)).toEqual({ standing: 'complained', at: late })
    expect(await standingOf(2)).toEqual(standing)
    expect((await extras())[person(1).email]).toEqual({ city: 'Oslo' })
  })

  it('keeps no field of whoever is forgotten, also when they come back', async () => {
    const extra = { city: 'Oslo' }
    await store.standings.forget(person(1).email)
    await restoreKnown(store, [
      { addressId: idOf(1), extra },
      { addressId: idOf(2), standing: { standing: 'forgotten', at: early }, extra },
    ])
    expect(await standingOf(2)).toEqual({ standing: 'forgotten', at: early })
    expect(await store.list.importAll([person(1), person(2)])).toEqual(['forgotten', 'forgotten'])
    for (const n of [1, 2]) await store.list.add(person(n).email)
    expect(await extras()).toEqual({
      [person(1).email]: undefined,
      [person(2).email]: undefined,
    })
  })

  it('knows who was told and who was left out, and names nobody who is forgotten', async () => {
    await store.list.importAll(people(3))
    await store.standings.forget(person(3).email)
    const row = (n: number): DeliveryRow => ({
      number: n,
      addressId: idOf(n),
      status: 'sent',
      tries: 1,
      changedAt: early,
      answer: '250 fine',
    })
    const rows: DeliveryRow[] = [
      row(1),
      { ...row(2), status: 'suppressed', tries: 0, answer: undefined, standing: 'bounced' },
      row(3),
      // Erased in the copy already.
      { ...row(3), number: -3, addressId: undefined, status: 'forgotten' },
    ]
    for (let again = 0; again < 2; again++) {
      await store.restore.deliveries('launch', rows)
      await store.restore.announcement({
        id: 'launch',
        subject: 'We are open',
        digest: 'd',
        begunAt: early,
      })
    }
    const tally = { sent: 1, suppressed: 1, forgotten: 2, queued: 0, uncertain: 0 }
    expect(await tallyOf(store, 'launch')).toMatchObject(tally)
    expect(await suppressedOf(store, 'launch')).toMatchObject({
      bounced: 1,
      unsubscribed: 0,
    })
    expect(await store.ledger.deliveriesTo(person(1).email)).toMatchObject([
      { status: 'sent', tries: 1, changedAt: early, answer: '250 fine' },
    ])
    expect(await store.ledger.deliveriesTo(person(2).email)).toMatchObject([
      { status: 'suppressed', standing: 'bounced' },
    ])
    expect(await store.ledger.deliveriesTo(person(3).email)).toEqual([])
    expect(await store.ledger.findAnnouncement('launch')).toMatchObject({
      ...{ eligible: 4, upTo: 2, begunAt: early },
    })
  })

  it('leaves nothing of who is erased where it ended before the announcement, which can be begun here all the same', async () => {
    await store.list.importAll(people(2))
    const row = { status: 'sent', tries: 1, changedAt: early, answer: '250 fine' } as const
    const rows = [1, 2].map((number) => ({ ...row, number, addressId: idOf(number) }))
    await store.restore.deliveries('launch', rows)
    await store.standings.forget(person(1).email)
    await store.lock.acquire({ owner: 'me', host: 'here', pid: 1 }, 3_600_000)
    const begun = await store.ledger.begin('me', 'launch', { subject: 'a', digest: 'd' })
    expect(await enlistEveryone(store, 'me', begun, {}, () => {})).toMatchObject({ eligible: 2 })
    expect(await tallyOf(store, 'launch')).toMatchObject({ sent: 1, forgotten: 1 })
  })
})
