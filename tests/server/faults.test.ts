import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { unsubscribeTokens } from '../../src/keys/unsubscribe-token.ts'
import { paths } from '../../src/shared/api.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { openApp, postForm, signIn, subscribe } from '../fixtures/app.ts'
import { ids, linkKey } from '../fixtures/keys.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const ada = 'ada@example.com'

/** The server on a real file; `fault` is thrown, once it is there, wherever an address is named. */
async function openSite() {
  const file = join(tempDir(), 'data', 'subscribers.sqlite')
  mkdirSync(dirname(file))
  const said: string[] = []
  const trouble: { fault?: ((email: string) => Error) | undefined } = {}
  const log = (message: string) => void said.push(message)
  const own = sqliteStore({ file, appId: 'test', addressIds: ids, log })
  const add = async (email: string) => {
    if (trouble.fault) throw trouble.fault(email)
    await own.list.add(email)
  }
  const store = { ...own, list: { ...own.list, add } }
  onTestFinished(() => store.close())
  await store.standings.unsubscribe(ids.of(ada))
  const opened = await openApp({ store, suppressions: store.standings })
  const headers = await signIn(opened.app)
  const signUp = async (email = ada) => {
    const { statusCode, body } = await subscribe(opened.app, headers, email)
    return `${statusCode} ${body}`
  }
  return { ...opened, store, file, said, trouble, signUp }
}

/** The errors in a server's log. */
function faultsIn(log: string) {
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return lines.filter(({ level }) => level >= 50)
}

describe('a fault of our own', () => {
  it('is answered 500 and no outage, and the log says where it is, without the address', async () => {
    const { app, store, said, trouble, signUp, logged } = await openSite()
    trouble.fault = (email) => new TypeError(`Received type string ('${email}')`, { cause: email })
    expect(await signUp()).toBe('500 {"error":"internal"}')
    const form = await postForm(app, { email: ada })
    expect(form.statusCode).toBe(500)
    expect(form.body).not.toContain('id="database-unavailable"')
    expect(said).toEqual([])
    const faults = faultsIn(logged())
    expect(faults.map(({ route }) => route)).toEqual([paths.subscribers, paths.subscribe])
    for (const { err } of faults) {
      expect(err).toMatchObject({ type: 'TypeError', message: expect.not.stringContaining(ada) })
      expect(err.stack).toMatch(/at .*faults\.test\.ts:\d+/)
    }
    expect(logged()).not.toContain('ada')
    expect(await store.list.count()).toBe(0)

    trouble.fault = undefined
    expect(await signUp()).toBe('201 {}')
    await store.inbox.takeInAll()
    expect(await store.list.count()).toBe(1)
  })

  it('is so too where our SQL does not fit the file, and keeps nothing by half', async () => {
    const { app, store, file, signUp, logged } = await openSite()
    const db = new DatabaseSync(file)
    onTestFinished(() => db.close())
    db.exec('ALTER TABLE documents RENAME seen TO elsewhere')
    expect(await signUp()).toBe('500 {"error":"internal"}')
    expect(faultsIn(logged())[0]?.err).toMatchObject({
      code: 'ERR_SQLITE_ERROR',
      stack: expect.stringContaining('arrivals.ts'),
    })
    expect(await store.list.count()).toBe(0)
    db.exec('ALTER TABLE notes RENAME data TO elsewhere')
    expect((await app.inject({ url: '/readyz' })).statusCode).toBe(500)
    const token = unsubscribeTokens(linkKey).sign(ids.of(ada))
    const link = await app.inject({ method: 'POST', url: `${paths.unsubscribe}/${token}` })
    expect(link.statusCode).toBe(500)
  })
})

describe('an outage', () => {
  const UNAVAILABLE = '503 {"error":"database-unavailable"}'
  const outages: Record<string, [begin: (file: string) => () => void, said: RegExp]> = {
    'a folder that is away': [
      (file) => {
        renameSync(dirname(file), `${dirname(file)}-away`)
        return () => renameSync(`${dirname(file)}-away`, dirname(file))
      },
      /^The database cannot be used: ENOENT/,
    ],
    'a file that is none of ours': [
      (file) => {
        renameSync(file, `${file}.kept`)
        for (const part of ['-wal', '-shm']) renameSync(file + part, `${file}.kept${part}`)
        writeFileSync(file, 'Dear reader, this is no database. '.repeat(200))
        return () => {
          for (const part of ['', '-wal', '-shm']) {
            rmSync(file + part, { force: true })
            renameSync(`${file}.kept${part}`, file + part)
          }
        }
      },
      /^The database cannot be used: file is not a database/,
    ],
    "another program's lock": [
      (file) => {
        const db = new DatabaseSync(file)
        db.exec('BEGIN IMMEDIATE')
        return () => db.close()
      },
      /^The database cannot be used: database is locked/,
    ],
  }

  it.for(Object.entries(outages))(
    '%s is answered 503, and the log has its reason once and no stack',
    { tags: 'thorough' },
    async ([, [begin, reason]]) => {
      const { file, said, signUp, logged } = await openSite()
      expect(await signUp('before@example.com')).toBe('201 {}')
      const end = begin(file)
      expect(await signUp()).toBe(UNAVAILABLE)
      expect(await signUp()).toBe(UNAVAILABLE)
      end()
      expect(await signUp()).toBe('201 {}')
      expect(said.filter((message) => reason.test(message))).toHaveLength(1)
      expect(said.at(-1)).toBe('The database can be used again.')
      expect(faultsIn(logged())).toEqual([])
    },
  )
})
