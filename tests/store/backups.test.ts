import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { addressIds } from '../../src/keys/address-id.ts'
import { nobodyAtTheDesk } from '../../src/store/desk-access.ts'
import { sqliteCopies } from '../../src/store/sqlite/copies.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { enlist } from '../fixtures/enlist.ts'
import { ids } from '../fixtures/keys.ts'
import { sourceKept } from '../fixtures/source-of.ts'
import { suppressedOf, tallyOf } from '../fixtures/tally.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { people, person } from './contracts/people.ts'

function open(count = 0, keys = ids) {
  const file = join(tempDir(), 'subscribers.sqlite')
  const store = sqliteStore({ file, appId: 'test', addressIds: keys, log: () => {} })
  onTestFinished(() => store.close())
  return { file, store, filled: store.list.importAll(people(count)).then(() => store) }
}

type TestStore = ReturnType<typeof open>['store']

/** As the operator does who says that the copy is right. */
const restore = (store: TestStore, file: string) =>
  sqliteCopies(store, ids, 'test').restore(file, { isBelieved: true })
const check = (store: TestStore, file: string) => sqliteCopies(store, ids, 'test').check(file)
const copyFile = () => join(tempDir(), 'copy.sqlite')

async function emailsOf(store: TestStore) {
  const emails: string[] = []
  for await (const { email } of store.list.stream({ standing: 'all' })) emails.push(email)
  return emails
}

/** An announcement to all: the first is told, the second in the air, the others in the queue. */
async function beginAnnouncement(store: TestStore, count: number) {
  await store.lock.acquire({ owner: 'me', host: 'here', pid: 1 }, 60_000)
  await store.ledger.begin('me', 'launch', { subject: 'x', digest: 'x' })
  await enlist(store, 'me', 'launch', people(count))
  await store.ledger.countEligible('me', 'launch')
  const [first] = await store.ledger.claim('me', 'launch', { limit: 2, which: 'untried' })
  const number = first?.number ?? 0
  await store.ledger.record('me', 'launch', [{ number, tries: 1, status: 'sent', answer: '250' }])
}

describe('a copy', () => {
  it("is whole, one file, its owner's, and made while others write", async () => {
    const store = await open(300).filled
    expect(await store.backups.last()).toBeNull()
    const file = copyFile()
    const [copy] = await Promise.all([store.backups.write(file), store.list.add('new@example.com')])
    expect([300, 301]).toContain(copy.subscribers)
    expect(await check(store, file)).toMatchObject(copy)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(`${file}-wal`, { throwIfNoEntry: false })).toBeUndefined()
    expect(readdirSync(dirname(file))).toEqual(['copy.sqlite'])
    expect(Number(await store.backups.last())).toBeGreaterThan(Date.now() - 60_000)
  })

  it('lets nobody into the desk, whoever has made it', async () => {
    const { store } = open()
    const [id, until] = ['a hash', Date.now() + 3_600_000]
    await store.desk.change((found) => ({
      result: undefined,
      state: {
        ...found,
        links: [{ id, secretHash: id, madeAt: Date.now(), until }],
        sessions: [{ id, begunAt: 1, usedAt: 1, until, by: 'link', device: 'x' }],
        passkeys: [
          {
            id,
            publicKey: 'x',
            counter: 0,
            transports: [],
            name: 'x',
            addedAt: 1,
            deviceId: id,
          },
        ],
      },
    }))
    const file = copyFile()
    await store.backups.write(file)
    const other = open()
    await restore(other.store, file)
    expect(await other.store.desk.read()).toEqual(nobodyAtTheDesk)
  })

  it('brings back where subscribers came from, and those who have yet to be asked', async () => {
    const { store } = open()
    const shown = { words: 'Be the first to know', page: 'a1b2c3', language: 'en' }
    const source = { source: 'hn', campaign: 'launch' }
    await store.list.add('kept@example.com', { source })
    await store.list.add('direct@example.com')
    await store.list.add('direct@example.com', { source })
    const network = 'N'.repeat(22)
    const asking = { shown, isCrowd: false, source, network }
    await store.requests.requestConfirmation('asked@example.com', asking)
    const file = copyFile()
    await store.backups.write(file)

    const { store: other } = open()
    expect(await restore(other, file)).toMatchObject({ added: 2, refused: 0 })
    expect(await sourceKept(other, 'kept@example.com')).toEqual(source)
    expect(await sourceKept(other, 'direct@example.com')).toBeUndefined()
    const asked: unknown[] = []
    await other.requests.claimLetters(9, 1000, (request) => {
      asked.push(request.source, request.network)
      return {}
    })
    expect(asked).toEqual([source, network])
  })

  it('brings everybody back into an empty store, times and all', async () => {
    const store = await open(700).filled
    const file = copyFile()
    await store.standings.unsubscribe(ids.of(person(2).email))
    await store.backups.write(file)
    const fresh = open().store
    const counts = {
      added: 700,
      known: 0,
      forgotten: 0,
      refused: 0,
      announcements: 0,
      stillToTell: 0,
    }
    const done = { ...counts, seal: 'none', madeAt: expect.any(Date) }
    expect(await restore(fresh, file)).toEqual(done)
    expect(await emailsOf(fresh)).toEqual(await emailsOf(store))
    const found = await fresh.list.find(person(5).email)
    expect(found).toEqual({ ...person(5), isImported: true })
    expect(await fresh.standings.of(person(2).email)).toMatchObject({ standing: 'unsubscribed' })
    expect(await restore(fresh, file)).toEqual({ ...done, added: 0, known: 700 })
  })

  it('brings back nobody who was forgotten after it was made, in list or ledger', async () => {
    const store = await open(5).filled
    await beginAnnouncement(store, 5)
    const file = copyFile()
    await store.backups.write(file)
    await store.standings.forget(person(1).email)
    await store.standings.unsubscribe(ids.of(person(2).email))
    await store.list.add('late@example.com')
    expect(await restore(store, file)).toMatchObject({ added: 0, known: 4, forgotten: 1 })
    expect(await emailsOf(store)).toEqual([
      ...people(5)
        .slice(1)
        .map((one) => one.email),
      'late@example.com',
    ])
    expect(await store.standings.of(person(2).email)).toMatchObject({ standing: 'unsubscribed' })

    const moved = open().store
    await moved.standings.forget(person(1).email)
    await restore(moved, file)
    expect(await moved.list.find(person(1).email)).toBeUndefined()
    expect(await tallyOf(moved, 'launch')).toMatchObject({ forgotten: 1, sent: 0 })
  })

  it('lets nobody be told twice: who was still to be told then is uncertain', async () => {
    const store = await open(5).filled
    await beginAnnouncement(store, 5)
    const file = copyFile()
    await store.backups.write(file)
    const fresh = open().store
    expect(await restore(fresh, file)).toMatchObject({ added: 5, announcements: 1 })
    expect(await tallyOf(fresh, 'launch')).toMatchObject({ sent: 1, uncertain: 4, queued: 0 })
    expect(await fresh.ledger.findAnnouncement('launch')).toMatchObject({ eligible: 5 })
    // Where the ledger is still there, it knows better.
    expect(await restore(store, file)).toMatchObject({ announcements: 0 })
    expect(await tallyOf(store, 'launch')).toMatchObject({ sent: 1, sending: 1, queued: 3 })
  })

  it('brings back where the page leads, but not what was set or undone here since', async () => {
    const { store } = open()
    const now = new Date()
    const opening = {
      url: 'https://app.example.com/',
      at: now,
      zone: 'Europe/Berlin',
      openedAt: now,
    }
    await store.opening.set(opening)
    const file = copyFile()
    await store.backups.write(file)
    const fresh = open().store
    expect(await restore(fresh, file)).toMatchObject({ opening: opening.url, refused: 0 })
    expect(await fresh.opening.get()).toEqual(opening)
    await fresh.opening.undo()
    expect(await restore(fresh, file)).not.toHaveProperty('opening')
    expect(await fresh.opening.get()).toBeUndefined()
  })

  it('does not forget again who signed up after being forgotten', async () => {
    const store = await open(2).filled
    await store.standings.forget(person(1).email)
    const file = copyFile()
    await store.backups.write(file)
    await store.list.add(person(1).email)
    await restore(store, file)
    expect(await store.list.find(person(1).email)).toBeDefined()
    expect(await store.standings.of(person(1).email)).toBeUndefined()
  })

  it('tells of nobody who signed up since that they left or were forgotten before', async () => {
    const store = await open(4).filled
    const [left, gone, bounced, stayed] = people(4).map(({ email }) => email)
    await store.standings.unsubscribe(ids.of(left ?? ''))
    await store.standings.set([{ email: bounced ?? '', standing: 'bounced' }])
    await store.standings.forget(gone ?? '')
    const file = copyFile()
    await store.backups.write(file)

    const later = open().store
    for (const { email } of people(4)) await later.list.add(email)
    await restore(later, file)
    expect(await emailsOf(later)).toHaveLength(4)
    for (const email of [left, gone, stayed])
      expect(await later.standings.of(email ?? ''), email).toBeUndefined()
    expect(await later.standings.of(bounced ?? '')).toMatchObject({ standing: 'bounced' })

    const earlier = open(4).store
    await earlier.list.importAll(people(4))
    await restore(earlier, file)
    expect(await earlier.standings.of(left ?? '')).toMatchObject({ standing: 'unsubscribed' })
    expect(await earlier.standings.of(gone ?? '')).toMatchObject({ standing: 'forgotten' })
    expect(await emailsOf(earlier)).toEqual([left, bounced, stayed])
  })

  it('brings back why somebody was not told, and everybody who was forgotten since', async () => {
    const store = await open(6).filled
    await store.lock.acquire({ owner: 'me', host: 'here', pid: 1 }, 60_000)
    await store.ledger.begin('me', 'launch', { subject: 'x', digest: 'x' })
    const [first, ...others] = people(6)
    if (!first) throw new Error('there are six')
    await enlist(store, 'me', 'launch', [{ ...first, leftOut: 'mailbox' }, ...others])
    for (const { email } of others.slice(0, 2)) await store.standings.forget(email)
    const file = copyFile()
    await store.backups.write(file)
    const moved = open().store
    for (const { email } of others.slice(2)) await moved.standings.forget(email)
    await restore(moved, file)
    expect(await suppressedOf(moved, 'launch')).toMatchObject({ mailbox: 1, unsubscribed: 0 })
    expect(await tallyOf(moved, 'launch')).toMatchObject({ suppressed: 1, forgotten: 5 })
  })

  it('loses only the rows that no store of ours has written, and counts them', async () => {
    const store = await open(5).filled
    await beginAnnouncement(store, 5)
    await store.standings.set([{ email: person(2).email, standing: 'bounced' }])
    const file = copyFile()
    await store.backups.write(file)
    const db = new DatabaseSync(file)
    db.exec(`
      UPDATE documents SET id = id + (1 << 60);
      UPDATE persons SET data = json_set(data, '$.email', 'x') WHERE data ->> 'email' = '${person(5).email}';
      INSERT INTO persons (id, data) VALUES ('x', '{"noes":{},"fields":{}}');
      INSERT INTO announcements (id, subject, digest, begunAt, upTo)
        SELECT '../x', subject, digest, begunAt, upTo FROM announcements`)
    db.close()
    const fresh = open().store
    expect(await restore(fresh, file)).toEqual({
      added: 4,
      known: 0,
      forgotten: 0,
      announcements: 1,
      stillToTell: 4,
      refused: 3,
      seal: 'none',
      madeAt: expect.any(Date),
    })
    expect(await tallyOf(fresh, 'launch')).toMatchObject({
      sent: 1,
      uncertain: 3,
      forgotten: 1,
    })
    expect(await fresh.standings.of(person(2).email)).toMatchObject({ standing: 'bounced' })
  })

  it('of another product, of another version, or of none, is refused and says so', async () => {
    const store = await open(2).filled
    const file = copyFile()
    await open().store.backups.write(file)
    await expect(sqliteCopies(store, ids, 'other').check(file)).rejects.toThrow(
      `${file} is a copy of the appId "test", and product.config.ts says "other".`,
    )
    await store.backups.write(file)
    const change = (sql: string) => {
      const db = new DatabaseSync(file)
      db.exec(sql)
      db.close()
    }
    change(`UPDATE documents SET data = json_set(data, '$.more', '${'x'.repeat(100_001)}')`)
    await expect(check(store, file)).rejects.toThrow('string or blob too big')
    for (const version of [99, 18]) {
      change(`PRAGMA user_version = ${version}`)
      await expect(check(store, file)).rejects.toThrow(
        `${file} is of version ${version}, and this program reads version 1: use the program that wrote it`,
      )
    }
    const empty = copyFile()
    new DatabaseSync(empty).close()
    await expect(check(store, empty)).rejects.toThrow('it is no copy of a list')
    await expect(check(store, '/dev/null')).rejects.toThrow('it is no ordinary file')
  })

  it('is not written while the list is away, and says why', async () => {
    const { store, filled, file } = open(1)
    await filled
    renameSync(dirname(file), `${dirname(file)}-away`)
    onTestFinished(() => renameSync(`${dirname(file)}-away`, dirname(file)))
    await expect(store.backups.write(copyFile())).rejects.toThrow(/^The database cannot be used/)
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
    await expect(check(store, `${file}.none`)).rejects.toThrow('There is no file')

    const otherIds = addressIds(Buffer.from('another key than the one of these tests'))
    const other = open(0, otherIds).store
    await store.standings.unsubscribe(ids.of(person(1).email))
    await store.backups.write(file)
    await expect(sqliteCopies(other, otherIds, 'test').restore(file)).rejects.toThrow(
      'the LINK_KEY that it was made with',
    )
    expect(await other.list.count()).toBe(0)
    await expect(store.backups.write('/none/copy.sqlite')).rejects.toThrow('cannot be written')
  })
})

describe('what the list knows of its copies', () => {
  const at = new Date('2026-01-05T03:10:00Z')
  const content = {
    subscribers: 2,
    standings: { unsubscribed: 1 },
    digest: 'a'.repeat(64),
    parts: {},
  }
  const copy = { folder: '/copies', name: 'one.sqlite', at, bytes: 5, keep: '7,4,12', content }

  it('is kept by folder and name, the oldest first', async () => {
    const { backups } = open().store
    const later = { ...copy, name: 'another.sqlite', at: new Date('2026-01-06T03:10:00Z') }
    await backups.noteCopy(later)
    await backups.noteCopy({ ...copy, bytes: 4 })
    await backups.noteCopy(copy)
    expect(await backups.keptCopies()).toEqual([copy, later])
    await backups.noteRemoved(later)
    await backups.noteRemoved({ folder: '/other', name: copy.name })
    expect(await backups.keptCopies()).toEqual([copy])
  })
})

describe('the seal of a copy', () => {
  const linkKey = Buffer.alloc(32, 'k')

  it('tells what it held, and which keys it has', async () => {
    const store = await open(5).filled
    const file = copyFile()
    const { content } = await store.backups.write(file, { keys: { 'link.key': linkKey } })
    const { made, keys, ...checked } = await check(store, file)
    expect(made?.content).toEqual(content)
    expect(checked.content).toEqual(content)
    expect(Buffer.from(keys['link.key'] ?? [])).toEqual(linkKey)
    expect(await store.backups.content()).toEqual(content)
  })

  it.each([
    ['is of another making', 'CREATE TABLE copiedKeys (name, bytes)'],
    [
      'would run what somebody wrote',
      "CREATE VIEW copiedKeys AS SELECT 'link.key' AS name, randomblob(32) AS bytes",
    ],
  ])('is none where it %s', async (_name, sql) => {
    const store = await open(2).filled
    const file = copyFile()
    await store.backups.write(file, { keys: { 'link.key': linkKey } })
    const db = new DatabaseSync(file)
    db.exec(`DROP TABLE copiedKeys; ${sql}`)
    db.close()
    expect(await check(store, file)).toMatchObject({ subscribers: 2, keys: {} })
  })

  it('has no keys of other names, nor such as no key is', async () => {
    const store = await open(2).filled
    for (const keys of [
      { '../link.key': linkKey, 'session.key': Buffer.alloc(4096, 'A') },
      { 'link.key': Buffer.from('short'), 'session.key': Buffer.alloc(43, '!') },
      { 'link.key': Buffer.alloc(33, 'k'), 'session.key': Buffer.alloc(42, 'A') },
    ]) {
      const file = copyFile()
      await store.backups.write(file, { keys })
      expect((await check(store, file)).keys).toEqual({})
    }
  })
})
