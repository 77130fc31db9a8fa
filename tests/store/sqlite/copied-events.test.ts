import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { eventTypes } from '../../../src/shared/event-types.ts'
import { sqliteCopies } from '../../../src/store/sqlite/copies.ts'
import { sqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { ids } from '../../fixtures/keys.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const sealKey = Buffer.alloc(32, 5)
const keys = { 'link.key': Buffer.alloc(32) }
const place = 'P'.repeat(22)
const [ada, bob] = ['ada@example.com', 'bob@example.com']

function opened(folder = tempDir()) {
  const file = join(folder, 'subscribers.sqlite')
  const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  onTestFinished(() => store.close())
  return store
}

/** A list whose yes of Ada, and whose erasure of Bob, wait in a copy. */
async function copied() {
  const [store, file] = [opened(), join(tempDir(), 'copy.sqlite')]
  await store.events.open(eventTypes, place)
  await store.list.add(ada)
  await store.list.add(bob)
  await store.standings.forget(bob)
  await store.backups.write(file, { sealKey, keys })
  return { store, file }
}

const idsOf = async (store: Store) =>
  (await store.events.waiting(9))
    .flatMap(({ queue }) => queue.events.map(({ id }) => id))
    .toSorted()

const restored = (store: Store, file: string) =>
  sqliteCopies(store, ids, 'test').restore(file, { sealKey })

it('what waited in a copy comes back under its ids, and the people are no news', async () => {
  const { store, file } = await copied()
  const fresh = opened()
  expect(await restored(fresh, file)).toMatchObject({ seal: 'whole', refused: 0 })
  expect(await idsOf(fresh)).toEqual(await idsOf(store))
  // Also where events are on here: whom the copy adds was reported when they came.
  const other = opened()
  await other.events.open(eventTypes, place)
  await restored(other, file)
  await restored(other, file)
  expect(await idsOf(other)).toEqual(await idsOf(store))
})

it('who is erased after a restore is named by nothing that waits, also where events were never on', async () => {
  const { file } = await copied()
  const fresh = opened()
  await restored(fresh, file)
  await fresh.standings.forget(ada)
  const waiting = await fresh.events.waiting(9)
  expect(JSON.stringify(waiting)).not.toContain('ada')
  expect(waiting.flatMap(({ queue }) => queue.events.map(({ type }) => type))).toEqual([
    ...['forgotten', 'forgotten'],
  ])
})

it('a copy and its list have the same content', async () => {
  const { store, file } = await copied()
  const fresh = opened()
  await restored(fresh, file)
  const again = join(tempDir(), 'again.sqlite')
  await fresh.backups.write(again, { sealKey, keys })
  const copies = sqliteCopies(store, ids, 'test')
  const [one, other] = [await copies.check(file), await copies.check(again)]
  expect(other.content.parts?.['events to send']).toEqual(one.content.parts?.['events to send'])
  expect(one.content.parts?.['events to send']?.rows).toBe(2)
})

it.each([
  'DELETE FROM copySeal',
  "UPDATE queue SET data = replace(data, 'subscribed', 'forgotten')",
])('a copy that is not believed tells nobody anything: %s', async (sql) => {
  const { file } = await copied()
  const db = new DatabaseSync(file)
  db.exec(sql)
  db.close()
  const fresh = opened()
  await restored(fresh, file)
  expect(await fresh.list.count()).toBe(1)
  expect(await idsOf(fresh)).toEqual([])
})

it('an event of a later version is dropped alone and counted, and what is no queue as well', async () => {
  const folder = tempDir()
  const store = opened(folder)
  await store.events.open(eventTypes, place)
  await store.list.add(ada)
  await store.list.add(bob)
  const db = new DatabaseSync(join(folder, 'subscribers.sqlite'))
  const person = ids.person(ids.of(ada))
  db.prepare(`
    UPDATE queue SET data = json_insert(replace(data, '[', '[{"type":"renamed"},'),
      '$.events[#]', json('{"id":1}')) WHERE id = ?`).run(person)
  db.exec(`UPDATE queue SET data = '{"events":[{"type":"renamed"}]}' WHERE id <> '${person}'`)
  db.exec(`INSERT INTO queue VALUES ('events', 'none', 0, 1, 'no JSON')`)
  const soon = new Date(Date.now() + 1000)
  const claimed = await store.events.claim(9, 1000, soon)
  expect(claimed).toMatchObject([{ type: 'subscribed', email: ada }])
  expect(await store.events.feed()).toMatchObject({ dropped: 4 })
  const answer = { kind: 'taken' } as const
  await store.events.settle([{ item: claimed[0] as (typeof claimed)[0], answer }], soon)
  expect(db.prepare('SELECT count(*) AS n FROM queue').get()).toEqual({ n: 0 })
  db.close()
})
