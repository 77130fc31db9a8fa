/** @module-tag thorough */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { bringUp } from '../../../src/store/sqlite/bring-up.ts'
import { sqliteCopies } from '../../../src/store/sqlite/copies.ts'
import { migrations, newestVersion } from '../../../src/store/sqlite/migrations/all.ts'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'
import { ids } from '../../fixtures/keys.ts'
import { copyOfServer } from '../../fixtures/server-copy.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { contentOf, made } from './schemas/content.ts'
import { folderOf, inside, open, releases, schemas } from './schemas/released.ts'

const versionIn = (file: string) =>
  inside(file, (db) => db.prepare('PRAGMA user_version').get()?.user_version)

it('numbers its steps from one on, and has the file of each release', () => {
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, i) => i + 1))
  // Steps that came in one release have one file, that of the last of them.
  expect(releases).toContain(`version-${newestVersion}.sqlite`)
})

describe.for(releases)('the file of %s', (release) => {
  it('opens with everything still there, and goes on from it', async () => {
    const { file } = folderOf(release)
    const store = open(file)
    expect(await contentOf(store)).toEqual(made[release])
    expect(versionIn(file)).toBe(newestVersion)
    // The same again, and everything that a store does.
    await store.list.add('next@example.com')
    await store.standings.unsubscribe(ids.of('sent@example.com'))
    expect(await store.standings.forget('failed@example.com')).toEqual({
      wasSubscriber: true,
      wasAsked: false,
      deliveries: 1,
    })
    await store.close()
    const again = open(file)
    expect(await again.list.count()).toBe(made[release]?.subscribers.length)
    expect(await again.standings.of('sent@example.com')).toMatchObject({ standing: 'unsubscribed' })
    await again.lock.acquire({ owner: 'next', host: 'here', pid: 1 }, 60_000, 'me')
    expect(await again.ledger.settle('next', 'launch')).toBe(1)
    expect(
      await again.ledger.claim('next', 'launch', { limit: 9, which: 'untried' }),
    ).toMatchObject([{ email: 'queued@example.com' }])
  })
})

describe.for(releases)('a copy of %s', (release) => {
  it('brings all of it back into an empty store', async () => {
    const store = open(join(tempDir(), 'subscribers.sqlite'))
    const copies = sqliteCopies(store, ids, 'test')
    const restored = await copies.restore(join(schemas, release), { isBelieved: true })
    const { deliveries: _, ...content } = await contentOf(store)
    const { deliveries: __, ...expected } = made[release] ?? {}
    // No wave is left: what waited for one is uncertain.
    const announcements = (made[release]?.announcements ?? []).map((one) => ({
      ...one,
      waves: undefined,
    }))
    // Whoever made the copy may not let themselves in, and nobody is told of what was long ago.
    // A server opens the feed of events.
    const events = { waiting: made[release]?.events.waiting, types: undefined }
    const others = { announcements, events, passkeys: [], notices: undefined }
    expect(content).toEqual({ ...expected, ...others })
    expect(restored).toMatchObject({ refused: 0, announcements: 2 })
    expect(await store.ledger.tally('launch')).toMatchObject({
      sent: 1,
      suppressed: 1,
      uncertain: 4,
    })
    expect(await store.ledger.suppressedAs('launch')).toMatchObject({ unsubscribed: 1 })
  })
})

describe('a file of an older version', () => {
  const release = 'version-1.sqlite'
  const subscribers = made[release]?.subscribers.length ?? 0

  it('is copied before it is touched: whole, as it was, for its owner only', async () => {
    const { folder, file, copies } = folderOf(release)
    const said: string[] = []
    const store = open(file, { log: (message) => said.push(message) })
    await store.list.find('sent@example.com')
    const [copy = '', ...others] = copies()
    expect(others).toEqual([])
    expect(copy).toMatch(/^subscribers\.version-1\.\d{4}-\d\d-\d\dT[\d-]+Z\.sqlite$/)
    expect(said.join('\n')).toContain(`from version 1 to ${newestVersion}`)
    expect(said.join('\n')).toContain(copy)
    const path = join(folder, copy)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    // One file, which can be moved by itself.
    expect(inside(path, (db) => db.prepare('PRAGMA journal_mode').get())).toEqual({
      journal_mode: 'delete',
    })
    const rowsOf = (path: string) =>
      inside(path, (db) =>
        ['documents', 'suppressions', 'deliveries', 'announcements', 'boundTo'].map((table) =>
          db.prepare(`SELECT * FROM ${table}`).all(),
        ),
      )
    expect(rowsOf(path)).toEqual(rowsOf(join(schemas, release)))
  })

  it('leaves no more than the newest two copies, and nothing of a killed run', async () => {
    const { folder, file, copies } = folderOf(release)
    inside(file, (db) => db.exec('PRAGMA journal_mode = WAL'))
    const others = ['subscribers.version-1.txt', 'subscribers.version-note.2027.md']
    const names = [3, 2, 1].map(
      (version, i) => `subscribers.version-${version}.${2024 + i}-01-01T00-00-00Z.sqlite`,
    )
    for (const name of [...names, ...others]) writeFileSync(join(folder, name), '')
    for (const end of ['.part', '.part-journal', '.part-wal'])
      writeFileSync(join(folder, `${names[0]}${end}`), 'what a killed run left')
    const copy = await bringUp(file, 'test')
    expect(copies().map((name) => join(folder, name))).toEqual(
      [...[names[2], ...others].map((name) => join(folder, name ?? '')), copy].toSorted(),
    )
    expect(versionIn(file)).toBe(newestVersion)
    expect(versionIn(copy ?? '')).toBe(0)
    // Whoever comes second finds it done.
    expect(await bringUp(file, 'test')).toBeUndefined()
    expect(copies()).toHaveLength(4)
  })

  it('stays as it was when the copy of it is damaged, and leaves none', async () => {
    const { file, copies } = folderOf(release)
    const pages = inside(file, (db) => {
      const [size] = Object.values(db.prepare('PRAGMA page_size').get() ?? {})
      const root = db.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'deliveries'`).get()
      return { size: Number(size), at: Number(root?.rootpage) - 1 }
    })
    const bytes = readFileSync(file)
    bytes.fill(0xa5, pages.at * pages.size, (pages.at + 1) * pages.size)
    writeFileSync(file, bytes)
    await expect(bringUp(file, 'test')).rejects.toThrow('the copy of it is damaged')
    expect(copies()).toEqual([])
    expect(readFileSync(file)).toEqual(bytes)
    // And let go of.
    inside(file, (db) => db.exec('BEGIN IMMEDIATE; ROLLBACK'))
  })

  it('is tried again only after five seconds when it could not be brought up', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { file } = folderOf(release)
    inside(file, (db) => db.exec('ALTER TABLE announcements RENAME COLUMN begunAt TO beganAt'))
    const store = open(file)
    await expect(store.list.count()).rejects.toThrow('it could not be updated: ')
    inside(file, (db) => db.exec('ALTER TABLE announcements RENAME COLUMN beganAt TO begunAt'))
    vi.advanceTimersByTime(4900)
    await expect(store.list.count()).rejects.toThrow('it could not be updated: ')
    vi.advanceTimersByTime(200)
    expect(await store.list.count()).toBe(subscribers)
  })

  it('is not written to until it is brought up, and then is', async () => {
    const store = open(folderOf(release).file)
    await expect(store.checkWritable()).rejects.toThrow('it is being updated')
    await expect(store.list.add('early@example.com')).rejects.toThrow(StoreUnavailable)
    await store.list.find('sent@example.com')
    await store.checkWritable()
    await store.list.add('late@example.com')
    expect(await store.list.find('early@example.com')).toBeUndefined()
  })

  it('is brought up by one process, while the others wait', async () => {
    const { file, copies } = folderOf(release)
    const script = `
import { sqliteStore } from ${JSON.stringify(join(import.meta.dirname, '../../../src/store/sqlite/sqlite-store.ts'))}
      import { ids } from ${JSON.stringify(join(import.meta.dirname, '../../fixtures/keys.ts'))}
      const store = sqliteStore({ file: process.argv[1], appId: 'test', addressIds: ids, log: () => {} })
      console.log(await store.list.count())
      await store.close()`
    const counts = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', script, file])
        let said = ''
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', (chunk) => {
            said += chunk
          })
        await once(child, 'close')
        return said.trim()
      }),
    )
    expect(counts).toEqual(counts.map(() => String(subscribers)))
    expect(copies()).toHaveLength(1)
  })

  it('waits for an older program that is writing', async () => {
    const { file } = folderOf(release)
    const other = new DatabaseSync(file)
    other.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE')
    const counting = open(file).list.count()
    other.exec(`
      INSERT INTO documents (collection, id, data) VALUES
        ('/artifacts/test/public/data/subscribers', 99,
        '{"email":"meanwhile@example.com","subscribedAt":"2026-01-09T00:00:00.000Z"}');
      COMMIT`)
    other.close()
    expect(await counting).toBe(subscribers + 1)
  })

  it('is refused, and stays as it was, when it is of no version that there ever was', async () => {
    const { file } = folderOf(release)
    inside(file, (db) => db.exec('ALTER TABLE announcements DROP COLUMN begunAt'))
    const why = 'its table announcements has no column begunAt'
    await expect(open(file).list.count()).rejects.toThrow(why)
    await expect(bringUp(file, 'test')).rejects.toThrow(why)
    expect(versionIn(file)).toBe(0)
  })

  it('is refused, and stays as it was, when it is a database of another program', async () => {
    const file = join(tempDir(), 'theirs.sqlite')
    inside(file, (db) => db.exec('CREATE TABLE theirs (a)'))
    await expect(open(file).list.count()).rejects.toThrow('is a database of another program')
    inside(file, (db) =>
      expect(db.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'theirs' }]),
    )
  })

  it('is refused, and stays as it was, when it holds the list of another product', async () => {
    const { file } = folderOf(release)
    const why = `subscribers of another appId (${subscribers} of test)`
    await expect(open(file, { appId: 'other' }).list.count()).rejects.toThrow(why)
    await expect(bringUp(file, 'other')).rejects.toThrow(why)
    expect(versionIn(file)).toBe(0)
    expect(await open(file).list.count()).toBe(subscribers)
  })

  it('is left as it was by a step with a fault, which is thrown with its stack and is no outage', async () => {
    const { file } = folderOf(release)
    const root = copyOfServer()
    const step = join(root, 'src/store/sqlite/migrations/002-standings.ts')
    const right = readFileSync(step, 'utf8')
    const wrong = right.replace(
      'refuseOthers(db,',
      '(undefined as never as typeof refuseOthers)(db,',
    )
    expect(wrong).not.toBe(right)
    writeFileSync(step, wrong)
    const theirs = await import(join(root, 'src/store/sqlite/sqlite-store.ts'))
    const store = theirs.sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
    onTestFinished(() => store.close())
    const fault = await store.list.count().catch((error: unknown) => error)
    expect(fault).toMatchObject({ name: 'TypeError', stack: expect.stringContaining(step) })
    expect(versionIn(file)).toBe(0)
  })

  it('that lacks the tables which came later is brought up as well', async () => {
    const { file } = folderOf(release)
    inside(file, (db) => db.exec('DROP TABLE backups; DROP TABLE runLock'))
    expect(await contentOf(open(file))).toEqual(made[release])
  })
})

describe('programs of two versions', () => {
  it('a newer file is refused in a line that names both versions, and not touched', async () => {
    const file = join(tempDir(), 'subscribers.sqlite')
    await open(file).list.add('visitor@example.com')
    inside(file, (db) => db.exec('PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)'))
    const before = readFileSync(file)
    const store = open(file)
    for (const attempt of [() => store.list.add('next@example.com'), () => store.list.count()])
      await expect(attempt()).rejects.toThrow(
        new RegExp(`version 99.*versions up to ${newestVersion}`),
      )
    await store.close()
    expect(readFileSync(file)).toEqual(before)
  })

  it('a program from before versions were kept ends before it has changed anything', async () => {
    const file = join(tempDir(), 'subscribers.sqlite')
    await open(file).list.add('visitor@example.com')
    // What it does first with every file.
    const attempt = () =>
      inside(file, (db) => {
        db.exec('BEGIN IMMEDIATE')
        migrations[0]?.up(db, 'test')
      })
    const schema = () => inside(file, (db) => db.prepare('SELECT sql FROM sqlite_schema').all())
    const before = schema()
    expect(attempt).toThrow('cannot modify commits because it is a view')
    expect(schema()).toEqual(before)
  })
})
