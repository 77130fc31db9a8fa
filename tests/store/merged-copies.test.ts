import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished, vi } from 'vitest'
import { keyedHash } from '../../src/keys/address-id.ts'
import { letterRule } from '../../src/people/letter-rule.ts'
import { eventTypes } from '../../src/shared/event-types.ts'
import type { KeptNo } from '../../src/store/inbox.ts'
import { SET_ASIDE } from '../../src/store/sqlite/arrivals.ts'
import { checkCopy } from '../../src/store/sqlite/copy.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { makeList } from '../../src/store/sqlite/versions.ts'
import { StoreUnavailable } from '../../src/store/subscriber-store.ts'
import { enlist } from '../fixtures/enlist.ts'
import { ids } from '../fixtures/keys.ts'
import { copyOf, spoil } from '../fixtures/merged-copy.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { people } from './contracts/people.ts'

/* Two lists of one history that went on apart, or a list and a copy of it. What waits in them waits. */

const ada = 'ada@example.com'
const shown = { words: 'x', page: 'x', language: 'en' }

function open(file = join(tempDir(), 'subscribers.sqlite')) {
  const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  onTestFinished(() => store.close())
  return store
}

type TestStore = ReturnType<typeof open>

/** The same list, which goes on by itself. */
const twin = async (store: TestStore) => open(await copyOf(store))

async function becameList(file: string) {
  const store = open(file)
  await store.becomeList(new Date())
  return store
}

async function withAda() {
  const store = open()
  await store.list.add(ada)
  await store.inbox.takeInAll()
  return store
}

const merge = (store: TestStore, file: string, isBelieved = true) =>
  store.restore(file, { isBelieved })

/** Until the clock shows another time. */
const later = () => new Promise((resolve) => setTimeout(resolve, 5))

it('an erasure reaches who cannot be read here, and a no of theirs is counted as one that does not', async () => {
  const store = await withAda()
  const [left, gone] = [await twin(store), await twin(store)]
  await later()
  await left.standings.unsubscribe(ids.of(ada))
  await gone.standings.forget(ada)
  const spoilt = async () =>
    open(spoil(await copyOf(store), `UPDATE persons SET data = json_set(data, '$.later', 1)`))
  const here = await spoilt()
  expect(await merge(here, await copyOf(gone))).toMatchObject({ refused: 0 })
  expect(await here.list.count()).toBe(0)
  expect(await here.standings.of(ada)).toMatchObject({ standing: 'forgotten' })
  expect(await merge(await spoilt(), await copyOf(left))).toMatchObject({ refused: 1 })
})

const claim = async (store: TestStore) => {
  const rule = letterRule(() => ({ messageId: '<a@b>', letterDigest: 'd' }))
  return (await store.requests.claimLetters(9, 0, rule)).letters
}

it('no letter that asks leaves again: not from a copy, nor from a list beside one in which it left', async () => {
  const store = open()
  await store.requests.requestConfirmation(ada, { shown, isCrowd: false })
  const waiting = await copyOf(store)
  await store.inbox.takeInAll()
  const asked = await copyOf(store)
  const [letter] = await claim(store)
  const inTheAir = await copyOf(store)
  if (letter) await store.requests.settleLetters([{ request: letter.request }])
  const sent = await copyOf(store)
  // Later than a letter has to wait for another.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  onTestFinished(() => void vi.useRealTimers())
  const fresh = open()
  await merge(fresh, inTheAir)
  expect(await claim(fresh)).toEqual([])
  for (const copy of [waiting, asked, inTheAir]) {
    const older = open(spoil(await copyOf(open(copy)), 'DELETE FROM runs'))
    await older.inbox.takeInAll()
    await merge(older, sent)
    const newer = open(spoil(await copyOf(open(sent)), 'DELETE FROM runs'))
    await merge(newer, copy)
    for (const list of [older, newer, await becameList(await copyOf(open(copy)))])
      expect(await claim(list)).toEqual([])
  }
})

it('an opening that was undone in a newer copy ends here, and another one stays', async () => {
  const store = open()
  const opening = { url: 'https://example.com/go', at: new Date(5), zone: 'UTC' }
  await store.opening.set({ ...opening, openedAt: undefined })
  const [here, other] = [await twin(store), await twin(store)]
  await other.opening.set({ ...opening, at: new Date(6), openedAt: undefined })
  await here.opening.noteOpened({ ...opening, openedAt: undefined }, new Date(5))
  await store.opening.undo()
  const undone = await copyOf(store)
  await merge(here, undone)
  expect(await here.opening.get()).toBeUndefined()
  await merge(other, undone)
  expect(await other.opening.get()).toMatchObject({ at: new Date(6) })
})

it('what other systems had yet to be told there joins what waits here, and is held', async () => {
  const store = await withAda()
  await store.events.open(eventTypes, 'P'.repeat(22))
  await store.standings.set([{ email: ada, standing: 'bounced' }])
  const here = await twin(store)
  await store.standings.set([{ email: ada, standing: 'complained' }])
  const there = await copyOf(store)
  for (let times = 0; times < 2; times += 1) await merge(here, there)
  const [line] = await here.events.waiting(9)
  const [theirs] = await store.events.waiting(9)
  expect(line?.queue.items).toEqual(theirs?.queue.items)
  expect(await here.events.claim(9, 1000, new Date())).toEqual([])
})

it('a copy in another encoding than ours is none', () => {
  const file = join(tempDir(), 'copy.sqlite')
  const db = new DatabaseSync(file)
  db.exec("PRAGMA encoding = 'UTF-16'; BEGIN")
  makeList(db, 'test')
  db.exec('COMMIT')
  db.close()
  expect(() => checkCopy(file, 'test', false)).toThrow('its tables are not ours')
})

it('a list that Litestream follows has two tables more, and no other of those names', async () => {
  const seq = 'CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);'
  const lock = 'CREATE TABLE IF NOT EXISTS _litestream_lock (id INTEGER);'
  const file = spoil(await copyOf(await withAda()), seq + lock)
  expect(checkCopy(file, 'test', false).counts.subscribers).toBe(1)
  expect(await merge(open(), file, false)).toMatchObject({ added: 1 })
  const trigger = 'CREATE TRIGGER t AFTER INSERT ON _litestream_seq BEGIN SELECT 1; END'
  const column = 'ALTER TABLE _litestream_lock ADD COLUMN x'
  for (const more of [seq, `${seq}${lock}${trigger}`, `${seq}${lock}${column}`]) {
    const other = spoil(await copyOf(await withAda()), more)
    expect(() => checkCopy(other, 'test', false), more).toThrow('its tables are not ours')
  }
})

it('of somebody who was forgotten here since, nothing is kept that waits in a copy', async () => {
  const store = await withAda()
  await store.list.add(ada)
  const waits = await copyOf(store)
  await later()
  await store.standings.forget(ada)
  await merge(store, waits)
  expect(await store.list.count()).toBe(0)
  expect((await store.inbox.waiting()).entries).toBe(0)
})

it('who signs up again after a no that the copy knows too is back by what waits in it, and counted once', async () => {
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:00Z') })
  const store = await withAda()
  vi.advanceTimersByTime(1000)
  await store.standings.unsubscribe(ids.of(ada))
  const here = await twin(store)
  vi.advanceTimersByTime(1000)
  await store.list.add(ada)
  expect(await merge(here, await copyOf(store))).toMatchObject({ added: 0, known: 1 })
  expect((await here.growth.since(new Date())).standings).toMatchObject({ subscribed: 1 })
})

it('by what waits in a copy who left here alone is back, where it came seconds later by any clock', async () => {
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:00Z') })
  for (const [seconds, subscribed] of [
    [4, 0],
    [9, 1],
  ] as const) {
    const here = await withAda()
    const there = await twin(here)
    vi.advanceTimersByTime(1000)
    await here.standings.unsubscribe(ids.of(ada))
    vi.advanceTimersByTime(seconds * 1000)
    await there.list.add(ada)
    await merge(here, await copyOf(there))
    expect((await here.growth.since(new Date())).standings).toMatchObject({ subscribed })
  }
})

it('a reply that waits in a copy counts where none is known, and replaces none', async () => {
  const store = open()
  await store.list.add(ada, { key: 'k' })
  await store.inbox.takeInAll()
  const [unanswered, answered] = [await twin(store), await twin(store)]
  await store.replies.keep(ada, 'old', 'k')
  const waits = await copyOf(store)
  await answered.replies.keep(ada, 'new', 'k')
  await answered.inbox.takeInAll()
  const answerOf = async (list: TestStore) => {
    await merge(list, waits)
    await list.inbox.takeInAll()
    for await (const { extra } of list.list.stream({ standing: 'all' })) return extra?.answer
  }
  expect([await answerOf(unanswered), await answerOf(answered)]).toEqual(['old', 'new'])
})

it('whoever waits in a copy, with however low a number, is new to its announcement', async () => {
  const store = open()
  await store.list.add(ada)
  await store.list.importAll(people(3))
  await store.lock.acquire({ owner: 'me', host: 'here', pid: 1 }, 60_000)
  await store.ledger.begin('me', 'launch', { subject: 'x', digest: 'x' })
  await enlist(store, 'me', 'launch', people(3))
  const list = await becameList(await copyOf(store))
  await list.inbox.takeInAll()
  const { upTo } = (await list.ledger.findAnnouncement('launch')) ?? {}
  expect(upTo).toBe(0)
  expect(await list.list.find(ada)).toBeDefined()
})

it('where nobody can be taken in, a copy becomes no list, and sets nothing aside', async () => {
  const store = open()
  await store.list.add(ada)
  const file = spoil(
    await copyOf(store),
    "CREATE TRIGGER poison BEFORE INSERT ON persons BEGIN SELECT raise(ABORT, 'poison'); END",
  )
  const list = open(file)
  await expect(list.becomeList(new Date())).rejects.toThrow(StoreUnavailable)
  expect(await list.inbox.waiting()).toMatchObject({ entries: 1, setAside: 0 })
})

it('a record that cannot be read, of who cannot be read, ends no restore', async () => {
  const store = await withAda()
  const copy = await copyOf(store)
  const lost = "UPDATE persons SET data = 'x'; UPDATE documents SET data = 'x'"
  const here = open(spoil(await copyOf(store), lost))
  expect(await merge(here, copy)).toMatchObject({ refused: 1 })
})

/** An inbox at Google that knows of a no. */
async function withNo(no: Partial<KeptNo>) {
  const store = open()
  const state = { generation: 1, noes: 0, at: 0, lookedAt: {}, lastReads: 0, list: 'ours' }
  const key = 'a'.repeat(43)
  await store.collecting.begin({ ...state, key })
  const noKey = keyedHash(Buffer.from(key, 'base64url'), 'no')(ada)
  await store.collecting.keepNoes([{ key: noKey, standing: 'forgotten', at: new Date(), ...no }])
  return store
}

it('who was forgotten at Google since a copy was made is counted so, and erased there', async () => {
  const there = await copyOf(await withAda())
  await later()
  const here = await withNo({})
  expect(await merge(here, there)).toMatchObject({ added: 0, forgotten: 1 })
  expect(await here.collecting.erasures(9)).toMatchObject([{ email: ada }])
})

it('a no that Google had yet to be told of by a copy is told by the list that it comes into', async () => {
  const store = await withNo({ key: 'untold' })
  const untold = spoil(await copyOf(store), 'UPDATE inboxNoes SET isTold = 0')
  const here = await withNo({ key: 'other' })
  await merge(here, untold)
  expect(await here.collecting.untoldNoes(9)).toMatchObject([{ key: 'untold' }])
})

it('of who was forgotten by a copy nothing is left that could not be taken in, unless it came after', async () => {
  const store = await withAda()
  const aside = (at: string) => `
    INSERT INTO documents (collection, data, waits, seen, addressId)
    VALUES ('x', '{"email":"${ada}","subscribedAt":"${at}"}', ${SET_ASIDE}, '{}', '${ids.of(ada)}');`
  const both = aside(new Date(Date.now() - 1000).toISOString()) + aside('2100-01-01T00:00:00.000Z')
  const here = open(spoil(await copyOf(store), both))
  await later()
  await store.standings.forget(ada)
  await merge(here, await copyOf(store))
  expect(await here.inbox.waiting()).toMatchObject({ setAside: 1 })
})

it('however much was open in a copy, none of it leaves by itself', async () => {
  const store = await withAda()
  await store.events.open(eventTypes, 'P'.repeat(22))
  await store.standings.set([{ email: ada, standing: 'bounced' }])
  await store.requests.requestConfirmation('bob@example.com', { shown, isCrowd: false })
  await store.inbox.takeInAll()
  const many = (table: string, columns: string, like: string) => `
    WITH RECURSIVE many (m) AS (SELECT 1 UNION ALL SELECT m + 1 FROM many WHERE m < 2500)
    INSERT OR IGNORE INTO ${table} (id, ${columns})
    SELECT printf('%022d', m), ${columns} FROM many, ${table} WHERE data LIKE '%${like}%';`
  const full = many('queue', 'kind, tries, dueAt, data', ada) + many('persons', 'data', 'request')
  const file = spoil(await copyOf(store), full)
  const list = await becameList(file)
  expect(await list.events.counts()).toMatchObject({ people: 2501, held: 2501 })
  const db = new DatabaseSync(file)
  onTestFinished(() => db.close())
  expect(db.prepare("SELECT id FROM persons WHERE data LIKE '%request%'").all()).toEqual([])
})
