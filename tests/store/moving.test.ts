/** @module-tag thorough */
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sqliteCopies } from '../../src/store/sqlite/copies.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { withFirestoreEmulator } from '../emulators/with-emulators.ts'
import { ids } from '../fixtures/keys.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { people, person } from './contracts/people.ts'
import { newProject, openFirestore } from './every-store.ts'

const appId = 'test'
const holder = { owner: 'me', host: 'here', pid: 1 }

/** As one would read it off: who, when, in which order. */
async function listOf(store: Store) {
  const lines: string[] = []
  for await (const { email, subscribedAt } of store.list.stream({ standing: 'all' }))
    lines.push(`${email} ${subscribedAt.toISOString()}`)
  return lines
}

describe('moving from the embedded store to Firestore', { timeout: 180_000 }, () => {
  const emulator = withFirestoreEmulator()

  async function stores() {
    const file = join(tempDir(), 'subscribers.sqlite')
    const embedded = sqliteStore({ file, appId, addressIds: ids, log: () => {} })
    const { origin } = emulator()
    const firestore = openFirestore(origin, await newProject(origin, { appId }), { appId })
    onTestFinished(() => Promise.all([embedded.close(), firestore.close()]).then(() => {}))
    return {
      file,
      embedded,
      firestore,
      move: () => sqliteCopies(firestore, ids, appId).restore(file, { isBelieved: true }),
    }
  }

  it('brings 10,000 subscribers over, in order and with their times, and doubles nobody', {
    tags: 'long',
  }, async () => {
    const { embedded, firestore, move } = await stores()
    for (let i = 0; i < 10_000; i += 500)
      await embedded.list.importAll(people(10_000).slice(i, i + 500))
    expect(await move()).toEqual({
      added: 10_000,
      known: 0,
      forgotten: 0,
      refused: 0,
      seal: 'none',
      announcements: 0,
    })
    const before = await listOf(embedded)
    expect(before).toHaveLength(10_000)
    expect(await listOf(firestore)).toEqual(before)

    await embedded.list.add('late@example.com')
    expect(await move()).toEqual({
      added: 1,
      known: 10_000,
      forgotten: 0,
      refused: 0,
      seal: 'none',
      announcements: 0,
    })
    expect(await listOf(firestore)).toEqual(await listOf(embedded))
  })

  it('brings over who must not be written to, and forgets nobody else', {
    tags: 'long',
  }, async () => {
    const { embedded, firestore, move } = await stores()
    await embedded.list.importAll(people(5))
    await embedded.standings.unsubscribe(ids.of(person(2).email))
    await embedded.standings.forget(person(3).email)
    await move()
    expect(await firestore.standings.of(person(2).email)).toEqual(
      await embedded.standings.of(person(2).email),
    )
    expect(await firestore.standings.of(person(3).email)).toMatchObject({ standing: 'forgotten' })
    expect(await firestore.list.importAll([person(3)])).toEqual(['forgotten'])
    // Whoever comes back by themselves is welcome there as well, and moving once more changes nothing.
    await firestore.list.add(person(2).email)
    await move()
    expect(await firestore.standings.of(person(2).email)).toBeUndefined()
    expect(await firestore.list.count()).toBe(4)
  })

  it('erases whoever was forgotten in between, unless they came back by themselves', {
    tags: 'long',
  }, async () => {
    const { embedded, firestore, move } = await stores()
    await embedded.list.importAll(people(3))
    await move()
    for (const n of [1, 2]) await embedded.standings.forget(person(n).email)
    await firestore.list.add(person(2).email)
    await move()
    expect(await firestore.list.find(person(1).email)).toBeUndefined()
    expect(await firestore.list.find(person(2).email)).toBeDefined()
    expect(await firestore.list.count()).toBe(2)
  })

  it('knows who was told, so that nobody is told twice', async () => {
    const { embedded, firestore, move } = await stores()
    await embedded.list.importAll(people(6))
    await embedded.lock.acquire(holder, 60_000)
    await embedded.ledger.begin('me', 'launch', { subject: 'x', digest: 'x' })
    await embedded.ledger.enlist('me', 'launch', people(6))
    await embedded.ledger.countEligible('me', 'launch')
    const claimed = await embedded.ledger.claim('me', 'launch', { limit: 3, which: 'untried' })
    const [first, second] = claimed.map(({ addressId }) => addressId)
    await embedded.ledger.record('me', 'launch', [
      { addressId: first ?? '', tries: 1, status: 'sent', answer: '250 fine' },
      { addressId: second ?? '', tries: 1, status: 'failed', answer: '550 no' },
    ])
    await embedded.standings.forget(person(6).email)
    await firestore.standings.forget(person(5).email)

    expect(await move()).toMatchObject({ added: 4, forgotten: 1, announcements: 1 })
    expect(await firestore.ledger.findAnnouncement('launch')).toEqual(
      await embedded.ledger.findAnnouncement('launch'),
    )
    const told = { sent: 1, failed: 1, uncertain: 2, forgotten: 2, queued: 0, sending: 0 }
    expect(await firestore.ledger.tally('launch')).toMatchObject(told)
    const [toFirst] = await firestore.ledger.deliveriesTo(person(1).email)
    const [before] = await embedded.ledger.deliveriesTo(person(1).email)
    expect(toFirst).toEqual(before)
    expect(await firestore.ledger.deliveriesTo(person(5).email)).toEqual([])

    await firestore.lock.acquire(holder, 60_000)
    expect(await firestore.ledger.claim('me', 'launch', { limit: 9, which: 'untried' })).toEqual([])
    expect(await move()).toMatchObject({ added: 0, announcements: 0 })
    expect(await firestore.ledger.tally('launch')).toMatchObject(told)
    // Who is left can be tried again: one that was under way, and one that had not had its turn.
    expect(await firestore.ledger.requeue('me', 'launch', 'uncertain')).toBe(2)
    const again = await firestore.ledger.claim('me', 'launch', { limit: 9, which: 'tried' })
    expect(again.map(({ tries }) => tries)).toEqual([2, 2])
  })
})
