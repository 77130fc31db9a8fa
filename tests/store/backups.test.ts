import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { addressIds } from '../../src/keys/address-id.ts'
import { sqliteCopies } from '../../src/store/sqlite/copies.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { ids } from '../fixtures/keys.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { people, person } from './contracts/people.ts'

function open(count = 0, keys = ids) {
  const file = join(tempDir(), 'subscribers.sqlite')
  const store = sqliteStore({ file, appId: 'test', addressIds: keys, log: () => {} })
  onTestFinished(() => store.close())
  return { file, store, filled: store.importAll(people(count)).then(() => store) }
}

type TestStore = ReturnType<typeof open>['store']

const restore = (store: TestStore, file: string) => sqliteCopies(store, ids, 'test').restore(file)
const check = (store: TestStore, file: string) => sqliteCopies(store, ids, 'test').check(file)
const copyFile = () => join(tempDir(), 'copy.sqlite')

async function emailsOf(store: TestStore) {
  const emails: string[] = []
  for await (const { email } of store.stream({ standing: 'all' })) emails.push(email)
  return emails
}

/** An announcement to all: the first is told, the second in the air, the others in the queue. */
async function beginAnnouncement(store: TestStore, count: number) {
  await store.acquire({ owner: 'me', host: 'here', pid: 1 }, 60_000)
  await store.begin('me', 'launch', { subject: 'x', digest: 'x' })
  await store.enlist('me', 'launch', people(count))
  await store.countEligible('me', 'launch')
  const [first] = await store.claim('me', 'launch', { limit: 2, which: 'untried' })
  const addressId = first?.addressId ?? ''
  await store.record('me', 'launch', [{ addressId, tries: 1, status: 'sent', answer: '250' }])
}

describe('a copy', () => {
  it("is whole, one file, its owner's, and made while others write", async () => {
    const store = await open(300).filled
    expect(await store.backups.last()).toBeNull()
    const file = copyFile()
    const [copy] = await Promise.all([store.backups.write(file), store.add('new@example.com')])
    expect([300, 301]).toContain(copy.subscribers)
    expect(await check(store, file)).toEqual(copy)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(`${file}-wal`, { throwIfNoEntry: false })).toBeUndefined()
    expect(readdirSync(dirname(file))).toEqual(['copy.sqlite'])
    expect(Number(await store.backups.last())).toBeGreaterThan(Date.now() - 60_000)
  })

  it('brings everybody back into an empty store, times and all', async () => {
    const store = await open(700).filled
    const file = copyFile()
    await store.unsubscribe(ids.of(person(2).email))
    await store.backups.write(file)
    const fresh = open().store
    const done = { added: 700, known: 0, forgotten: 0, refused: 0, announcements: 0 }
    expect(await restore(fresh, file)).toEqual(done)
    expect(await emailsOf(fresh)).toEqual(await emailsOf(store))
    expect(await fresh.find(person(5).email)).toEqual(person(5))
    expect(await fresh.standing(person(2).email)).toMatchObject({ standing: 'unsubscribed' })
    expect(await restore(fresh, file)).toEqual({ ...done, added: 0, known: 700 })
  })

  it('brings back nobody who was forgotten after it was made, in list or ledger', async () => {
    const store = await open(5).filled
    await beginAnnouncement(store, 5)
    const file = copyFile()
    await store.backups.write(file)
    await store.forget(person(1).email)
    await store.unsubscribe(ids.of(person(2).email))
    await store.add('late@example.com')
    expect(await restore(store, file)).toMatchObject({ added: 0, known: 4, forgotten: 1 })
    expect(await emailsOf(store)).toEqual([
      ...people(5)
        .slice(1)
        .map((one) => one.email),
      'late@example.com',
    ])
    expect(await store.standing(person(2).email)).toMatchObject({ standing: 'unsubscribed' })

    const moved = open().store
    await moved.forget(person(1).email)
    await restore(moved, file)
    expect(await moved.find(person(1).email)).toBeUndefined()
    expect(await moved.tally('launch')).toMatchObject({ forgotten: 1, sent: 0 })
  })

  it('lets nobody be told twice: who was still to be told then is uncertain', async () => {
    const store = await open(5).filled
    await beginAnnouncement(store, 5)
    const file = copyFile()
    await store.backups.write(file)
    const fresh = open().store
    expect(await restore(fresh, file)).toMatchObject({ added: 5, announcements: 1 })
    expect(await fresh.tally('launch')).toMatchObject({ sent: 1, uncertain: 4, queued: 0 })
    expect(await fresh.findAnnouncement('launch')).toMatchObject({ eligible: 5 })
    // Where the ledger is still there, it knows better.
    await restore(store, file)
    expect(await store.tally('launch')).toMatchObject({ sent: 1, sending: 1, queued: 3 })
  })

  it('does not forget again who signed up after being forgotten', async () => {
    const store = await open(2).filled
    await store.forget(person(1).email)
    const file = copyFile()
    await store.backups.write(file)
    await store.add(person(1).email)
    await restore(store, file)
    expect(await store.find(person(1).email)).toBeDefined()
    expect(await store.standing(person(1).email)).toBeUndefined()
  })

  it('never takes the place of the list that it is made of', async () => {
    const { store, filled, file } = open(3)
    await filled
    for (const place of [file, `${file}-wal`, join(file, '..', 'link.key')])
      await expect(store.backups.write(place)).rejects.toThrow('a name of the list itself')
    expect(await emailsOf(store)).toHaveLength(3)
  })

  it('is refused when it is damaged, none, or made with another key', async () => {
    const { store, filled } = open(400)
    await filled
    const file = copyFile()
    await store.backups.write(file)
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.subarray(0, bytes.length - 8192))
    await expect(check(store, file)).rejects.toThrow('is no whole copy')
    await expect(restore(store, file)).rejects.toThrow('is no whole copy')
    writeFileSync(file, 'Dear reader, this is not a database. '.repeat(200))
    await expect(check(store, file)).rejects.toThrow('is no whole copy')
    await expect(check(store, `${file}.none`)).rejects.toThrow('is no whole copy')

    const otherIds = addressIds(Buffer.from('another key than the one of these tests'))
    const other = open(0, otherIds).store
    await store.unsubscribe(ids.of(person(1).email))
    await store.backups.write(file)
    await expect(sqliteCopies(other, otherIds, 'test').restore(file)).rejects.toThrow(
      'another LINK_KEY',
    )
    expect(await other.count()).toBe(0)
    await expect(store.backups.write('/none/copy.sqlite')).rejects.toThrow('cannot be written')
  })
})
