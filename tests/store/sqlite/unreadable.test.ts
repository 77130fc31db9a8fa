import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, it } from 'vitest'
import { enlistEveryone } from '../../../src/announcement/enlist.ts'
import { checkCopy } from '../../../src/store/sqlite/copy.ts'
import { ids } from '../../fixtures/keys.ts'
import { copyOf } from '../../fixtures/merged-copy.ts'
import { storeOnFile } from '../../fixtures/store-on-file.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const [ada, bob] = ['ada@example.com', 'bob@example.com']

function opened() {
  const file = join(tempDir(), 'store.sqlite')
  const store = storeOnFile(file)
  return { file, store }
}

let one: ReturnType<typeof opened>
beforeEach(async () => {
  one = opened()
  for (const email of [ada, bob]) await one.store.list.add(email)
})

/** Writes a value into the file, as anybody could. */
function spoil(data: string, isOnList = true) {
  const db = new DatabaseSync(one.file)
  if (!isOnList)
    db.prepare('DELETE FROM documents WHERE id = (SELECT number FROM persons WHERE id = ?)').run(
      ids.of(ada),
    )
  db.prepare(`UPDATE persons SET data = ?${isOnList ? '' : ', number = NULL'} WHERE id = ?`).run(
    ...[data, ids.of(ada)],
  )
  db.exec(`
    INSERT INTO announcements (id, subject, digest, begunAt, upTo)
      VALUES ('a', 'a', 'a', '2026-11-01T00:00:00.000Z', 2);
    INSERT INTO deliveries (announcement, number, status, turn, changedAt)
      VALUES ('a', 1, 'sent', 0, '2026-11-01T00:00:00.000Z')`)
  db.close()
}

it('somebody on the list who cannot be read is listed and held, so that a balance has them', async () => {
  spoil('nothing that is read')
  const all: string[][] = []
  for await (const { email, standing } of one.store.list.stream({ standing: 'all' }))
    all.push([email, standing])
  expect(all).toEqual([
    [ada, 'quarantined'],
    [bob, 'subscribed'],
  ])
})

it('who cannot be read is never written over: what they leave waits, and what is said of them is not taken', async () => {
  spoil('nothing that is read')
  const { file, store } = one
  await store.list.add(ada)
  expect(await store.inbox.waiting()).toMatchObject({ setAside: 1 })
  expect(await store.list.importAll([{ email: ada, subscribedAt: new Date() }])).toEqual(['known'])
  expect(await store.standings.set([{ email: ada, standing: 'bounced' }])).toEqual([false])
  const db = new DatabaseSync(file)
  const kept = db.prepare('SELECT data FROM persons WHERE id = ?').get(ids.of(ada))
  db.close()
  expect(kept?.data).toBe('nothing that is read')
})

it.each(['x', '{}', '{"email":null,"subscribedAt":"soon"}'])(
  'a record that cannot be read stops nothing, and its person says it: %s',
  async (data) => {
    const { file, store } = one
    const waits = 'INSERT INTO documents (collection, data, waits) VALUES (?, ?, 1)'
    const db = new DatabaseSync(file)
    db.prepare('UPDATE documents SET data = ? WHERE id = 1').run(data)
    db.prepare(waits).run('/', data)
    db.close()
    const { email, subscribedAt } = (await store.list.find(ada)) ?? {}
    const { people } = await store.people.page({ limit: 9 })
    expect(people.map((person) => person.email)).toEqual([bob, ada])
    expect(people[1]?.subscribedAt).toEqual(subscribedAt)
    const all = []
    for await (const person of store.list.stream({ standing: 'all' })) all.push(person)
    expect(all).toMatchObject([{ email, subscribedAt }, { email: bob }])
    const newest = await store.list.newest(9)
    expect(newest.map((person) => person.email)).toContain(ada)
    // Also where it waits to be taken in: everybody would wait behind it.
    await store.standings.forget(bob)
    expect(await store.list.count()).toBe(1)
  },
)

it.each(['null', '5', '{"email":{},"subscribedAt":{}}', undefined])(
  'an announcement goes on with somebody who cannot be read, whose record is %s',
  async (data) => {
    spoil('nothing that is read')
    const db = new DatabaseSync(one.file)
    if (data === undefined) db.exec('DELETE FROM documents WHERE id = 1')
    else db.prepare('UPDATE documents SET data = ? WHERE id = 1').run(data)
    db.close()
    const { lock, ledger } = one.store
    await lock.acquire({ owner: 'me', host: 'here', pid: 1 }, 3_600_000)
    const begun = await ledger.begin('me', 'launch', { subject: 'a', digest: 'b' })
    expect(await enlistEveryone(one.store, 'me', begun, {}, () => {})).toMatchObject({
      eligible: 2,
    })
    const claimed = await ledger.claim('me', 'launch', { limit: 9, which: 'untried' })
    expect(claimed.map(({ email }) => email)).toEqual([bob])
  },
)

it.each([
  ['no JSON', 'nothing', false],
  [
    'a detail that is no text',
    `{"noes":{"bounced":{"at":"2026-11-01T00:00:00.000Z","detail":{"toString":1}}},"fields":{}}`,
    true,
  ],
  [
    'fields too deep',
    `{"noes":{},"fields":{"a":${'['.repeat(40_000)}${']'.repeat(40_000)}}}`,
    true,
  ],
] as const)('a copy with a person of %s is checked and restored', async (_, data, isOnList) => {
  spoil(data, isOnList)
  const other = opened()
  const copy = await copyOf(one.store)
  checkCopy(copy, 'test', false)
  await other.store.restore(copy, { isBelieved: false })
  expect(await other.store.list.find(bob)).toBeDefined()
})

it('who is forgotten after a clock was set back is not brought back by a copy from before', async () => {
  const db = new DatabaseSync(one.file)
  const later = new Date(Date.now() + 60_000).toISOString()
  db.exec(`UPDATE persons SET data = json_set(data, '$.signedUp.first', '${later}',
    '$.signedUp.lifts', '${later}')`)
  const { data } = db.prepare('SELECT data FROM persons WHERE id = ?').get(ids.of(ada)) ?? {}
  db.close()
  await one.store.standings.forget(ada)
  const other = new DatabaseSync(one.file)
  const row = other.prepare('SELECT data FROM persons WHERE id = ?').get(ids.of(ada))
  other.close()
  const { forgottenAt } = JSON.parse(String(row?.data))
  expect(forgottenAt).toBe(JSON.parse(String(data)).signedUp.lifts)
})
