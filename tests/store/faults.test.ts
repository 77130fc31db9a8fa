import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { StoreUnavailable } from '../../src/store/subscriber-store.ts'
import { ids } from '../fixtures/keys.ts'
import { storeOnFile } from '../fixtures/store-on-file.ts'
import { sqliteStore } from '../fixtures/taken-in.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { people } from './contracts/people.ts'

function openStore() {
  const file = join(tempDir(), 'data', 'store.sqlite')
  mkdirSync(dirname(file))
  const logged: string[] = []
  const store = sqliteStore({
    file,
    appId: 'test',
    addressIds: ids,
    log: (message) => logged.push(message),
  })
  onTestFinished(() => store.close())
  return { store, file, dir: dirname(file), logged }
}

function emailsIn(file: string) {
  const db = new DatabaseSync(file)
  const rows = db.prepare('SELECT email FROM subscribers').all()
  db.close()
  return rows.map(({ email }) => email)
}

describe('when the database cannot be used', () => {
  it('refuses while its folder is away, and goes on when it is back with all it held', async () => {
    const { store, file, dir, logged } = openStore()
    await store.list.add('before@example.com')
    renameSync(dir, `${dir}-away`)
    await expect(store.list.add('during@example.com')).rejects.toThrow(StoreUnavailable)
    await expect(store.checkWritable()).rejects.toThrow(StoreUnavailable)
    await expect(store.list.find('before@example.com')).rejects.toThrow(StoreUnavailable)
    renameSync(`${dir}-away`, dir)
    await store.list.add('after@example.com')
    expect(await store.list.find('before@example.com')).toBeDefined()
    expect(emailsIn(file)).toEqual(['before@example.com', 'after@example.com'])
    // Once, and not for each who asked meanwhile.
    expect(logged).toEqual([
      `${file} was removed or replaced. Its content is lost unless the file is put back.`,
      expect.stringMatching(/^The database cannot be used: ENOENT/),
      'The database can be used again.',
    ])
    expect(logged.join()).not.toContain('@')
  })

  it('never writes into a deleted file: it starts another, and says that rows are gone', async () => {
    const { store, file, dir, logged } = openStore()
    await store.list.add('before@example.com')
    rmSync(dir, { recursive: true })
    mkdirSync(dir)
    await store.list.add('after@example.com')
    expect(emailsIn(file)).toEqual(['after@example.com'])
    expect(logged[0]).toContain('was removed or replaced')
    expect(logged[1]).toContain('starting an empty one')
  })

  it('loses nothing when only its write-ahead log was deleted', async () => {
    const { store, file } = openStore()
    await store.list.add('before@example.com')
    rmSync(`${file}-wal`)
    await store.list.add('after@example.com')
    // While it is open, as after a crash: closing would save what is in the log.
    expect(emailsIn(file)).toEqual(['before@example.com', 'after@example.com'])
  })

  it('goes on with a file that was put in its place', async () => {
    const { store, file } = openStore()
    const other = sqliteStore({
      file: `${file}.other`,
      appId: 'test',
      addressIds: ids,
      log: () => {},
    })
    await other.list.add('kept@example.com')
    await other.close()
    await store.list.add('before@example.com')
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix)
    renameSync(`${file}.other`, file)
    await store.list.add('after@example.com')
    expect(emailsIn(file)).toEqual(['kept@example.com', 'after@example.com'])
  })

  it('refuses what is not a database, touches none of it, and goes on when that is gone', async () => {
    const { store, file } = openStore()
    const letter = 'Dear reader, this is not a database. '.repeat(200)
    writeFileSync(file, letter)
    await expect(store.list.add('during@example.com')).rejects.toThrow(StoreUnavailable)
    expect(readFileSync(file, 'utf8')).toBe(letter)
    rmSync(file)
    await store.list.add('after@example.com')
    expect(emailsIn(file)).toEqual(['after@example.com'])
  })

  it('refuses a database whose pages are damaged', async () => {
    const { store, file } = openStore()
    await store.list.add('before@example.com')
    await store.close()
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(0xa5, 100))
    const damaged = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
    await expect(damaged.list.add('during@example.com')).rejects.toThrow(StoreUnavailable)
    await damaged.close()
  })

  it('refuses while it may only read, and goes on when it may write', async () => {
    const { store, file, dir } = openStore()
    await store.list.add('before@example.com')
    await store.close()
    const restricted = storeOnFile(file)
    // Root may write anything, so it steps down to nobody for as long as the file is read-only.
    const isRoot = process.geteuid?.() === 0
    chmodSync(dirname(dir), 0o755)
    chmodSync(file, 0o444)
    chmodSync(dir, 0o555)
    if (isRoot) process.seteuid?.(65_534)
    await expect(restricted.list.add('during@example.com')).rejects.toThrow(StoreUnavailable)
    if (isRoot) process.seteuid?.(0)
    chmodSync(dir, 0o755)
    chmodSync(file, 0o644)
    await restricted.list.add('after@example.com')
    expect(emailsIn(file)).toEqual(['before@example.com', 'after@example.com'])
  })
})

/** Seconds that pass when the test says so, while everything else goes on. */
function fakeClock() {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  return (ms: number) => vi.advanceTimersByTime(ms)
}

describe('while another process holds the lock', () => {
  /** A process that holds the write lock until its input ends. */
  async function lock(file: string) {
    const script = `
      const db = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(file)})
      db.exec('BEGIN IMMEDIATE')
      process.stdout.write('locked')
      process.stdin.resume().on('end', () => process.exit())`
    const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill())
    await once(child.stdout, 'data')
    return () => child.stdin.end()
  }

  it('waits without blocking anybody, adds once it is released, and says nothing of it', async () => {
    const { store, file, logged } = openStore()
    await store.list.add('before@example.com')
    const release = await lock(file)
    const added = store.list.add('during@example.com')
    let done = false
    added.then(() => {
      done = true
    })
    // Reads and timers go on meanwhile; were the event loop blocked, nobody would get to release.
    for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await store.list.find('before@example.com')).toBeDefined()
    expect(done).toBe(false)
    release()
    await added
    expect(await store.list.find('during@example.com')).toBeDefined()
    expect(logged).toEqual([])
  })

  it('gives up after two seconds and says so, and adds the next one after it is released', async () => {
    const pass = fakeClock()
    const { store, file, logged } = openStore()
    await store.list.add('before@example.com')
    const release = await lock(file)
    let end: unknown
    store.list.add('during@example.com').catch((error) => {
      end = error
    })
    // It may not have begun to wait yet.
    await expect
      .poll(() => {
        pass(1000)
        return end
      })
      .toBeInstanceOf(StoreUnavailable)
    release()
    await store.list.add('after@example.com')
    expect(emailsIn(file)).toEqual(['before@example.com', 'after@example.com'])
    expect(logged).toEqual([
      'The database cannot be used: database is locked.',
      'The database can be used again.',
    ])
  })
})

describe('while another connection has the file', () => {
  async function locked() {
    const { store, file } = openStore()
    await store.list.add('before@example.com')
    const other = new DatabaseSync(file)
    onTestFinished(() => other.close())
    return { store, other }
  }

  it('whatever is written waits for two seconds, and no more', async () => {
    const pass = fakeClock()
    const { store, other } = await locked()
    other.exec('BEGIN IMMEDIATE')
    const importing = () => store.list.importAll(people(1))
    let done = false
    const first = importing().finally(() => {
      done = true
    })
    pass(1900)
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(done).toBe(false)
    pass(200)
    await expect(first).rejects.toThrow(StoreUnavailable)
    const second = importing()
    other.exec('COMMIT')
    expect(await second).toEqual(['added'])
  })

  it('says of somebody forgotten when a reader keeps the address on disk for long', async () => {
    const pass = fakeClock()
    const { store, other } = await locked()
    const reading = () => other.exec('BEGIN; SELECT count(*) FROM documents')
    reading()
    const forgotten = store.standings.forget('before@example.com')
    other.exec('COMMIT')
    expect(await forgotten).toMatchObject({ wasSubscriber: true })

    await store.list.add('next@example.com')
    reading()
    let end = ''
    store.standings.forget('next@example.com').catch(({ message }) => {
      end = message
    })
    await expect
      .poll(() => {
        pass(1000)
        return end
      })
      .toContain('the write-ahead log is in use and still has it; forget it again')
    other.exec('COMMIT')
    expect(await store.standings.forget('next@example.com')).toMatchObject({ wasSubscriber: false })
  })
})
