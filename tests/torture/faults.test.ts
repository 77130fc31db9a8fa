/** @module-tag long */
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished, type TestContext } from 'vitest'
import { paths } from '../../src/shared/api.ts'
import { fromOurPage } from '../fixtures/app.ts'
import { type RunningSite, startSite } from '../fixtures/running-site.ts'
import { copyOfServer } from '../fixtures/server-copy.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { crowd, signIn, signUp } from './crowd.ts'
import { buildDisk } from './disk/preload.ts'
import { amount, report } from './form.ts'

const ROUNDS = amount(1, 10)
const UNAVAILABLE = '{"error":"database-unavailable"}'

/** Something that happens to the server's data while visitors sign up. */
interface Fault {
  /** Begins it. @returns what ends it. */
  begin(site: RunningSite, trouble: string): Promise<() => unknown>
  /** On the disk of `disk.c`. */
  readonly onDisk?: true
  /** What was written stays, though nobody could promise it. */
  readonly mayKeep?: true
  /** What the operator reads in the log. */
  readonly said: RegExp
}

const diskTrouble = (kind: string): Fault['begin'] => {
  return async (_site, trouble) => {
    writeFileSync(join(trouble, kind), '')
    return () => rmSync(join(trouble, kind))
  }
}

const faults: Record<string, Fault> = {
  'the data folder is moved away': {
    begin: async (site) => {
      await site.removeData()
      return site.returnData
    },
    said: /was removed or replaced.*cannot be used: ENOENT/s,
  },
  'another process holds the lock': {
    begin: async (site) => site.lockDatabase(),
    said: /cannot be used: database is locked/,
  },
  'the file is damaged': {
    begin: async (site) => {
      await site.kill()
      const saved = backUp(site)
      for (const part of ['-wal', '-shm']) rmSync(site.databaseFile + part, { force: true })
      writeFileSync(site.databaseFile, Buffer.alloc(100_000, 'damaged'))
      await site.restart()
      return () => renameSync(saved, site.databaseFile)
    },
    said: /cannot be used: file is not a database/,
  },
  'the disk is full': {
    begin: diskTrouble('full'),
    onDisk: true,
    said: /cannot be used: database or disk is full/,
  },
  'the disk turns read-only': {
    begin: diskTrouble('read-only'),
    onDisk: true,
    said: /cannot be used: (disk I\/O error|attempt to write)/,
  },
  'the disk fails to sync': {
    begin: diskTrouble('broken'),
    onDisk: true,
    mayKeep: true,
    said: /cannot be used: disk I\/O error/,
  },
}

/** A whole copy of a file that nobody has open. */
function backUp(site: RunningSite): string {
  const copy = join(tempDir(), 'backup.sqlite')
  for (const part of ['', '-wal'])
    if (existsSync(site.databaseFile + part)) copyFileSync(site.databaseFile + part, copy + part)
  // Closing it puts the write-ahead log in.
  const db = new DatabaseSync(copy)
  db.prepare('SELECT count(*) FROM subscribers').get()
  db.close()
  return copy
}

it.for(Object.entries(faults))(
  'while %s, visitors are told so, and afterwards nobody is missing',
  async ([what, fault], context) => {
    const { site, trouble } = await start(fault, context)
    const thanked: string[] = []
    const refused: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const before = crowd(site.url, `before-${round}`)
      await expect.poll(() => before.thanked.length, { timeout: 30_000 }).toBeGreaterThan(20)
      const end = await fault.begin(site, trouble)
      const during = crowd(site.url, `during-${round}`)
      await expect.poll(() => during.refusals.size, { timeout: 30_000 }).toBe(1)
      await expectPlainWords(site)
      await end()
      const headers = await signIn(site.url)
      const after = async () =>
        (await signUp(site.url, headers, `after-${round}@example.com`)).status
      await expect.poll(after, { timeout: 30_000 }).toBe(201)
      const isReady = async () => (await fetch(`${site.url}/readyz`)).status
      await expect.poll(isReady, { timeout: 30_000 }).toBe(200)
      await Promise.all([before.stop(), during.stop()])
      thanked.push(...before.thanked, ...during.thanked, `after-${round}@example.com`)
      refused.push(...before.refused, ...during.refused)
      const told = new Set([...before.refusals, ...during.refusals])
      expect([...told]).toEqual([`503 ${UNAVAILABLE}`])
    }
    const kept = new Set(site.subscribers())
    expect(thanked.filter((email) => !kept.has(email))).toEqual([])
    if (!fault.mayKeep) expect(refused.filter((email) => kept.has(email))).toEqual([])
    expect(site.log()).toMatch(fault.said)
    expect(site.log()).toContain('The database can be used again')
    expect(site.log()).not.toContain('@')
    report(context, {
      done: `${what} and recovers, under load`,
      times: ROUNDS,
      result: `0 of ${thanked.length.toLocaleString('en')} thanked were lost, ${refused.length.toLocaleString('en')} told "database-unavailable"`,
    })
  },
)

async function start(fault: Fault, context: TestContext) {
  const [folder, trouble] = [join(tempDir(), 'site'), tempDir()]
  mkdirSync(folder)
  const env: Record<string, string> = { LOG_LEVEL: 'warn' }
  if (fault.onDisk) {
    const disk = buildDisk()
    if ('missing' in disk) return context.skip(disk.missing)
    const on = {
      LD_PRELOAD: disk.library,
      DISK_FOLDER: join(folder, 'data'),
      DISK_TROUBLE: trouble,
    }
    Object.assign(env, on)
  }
  const site = await startSite({ root: copyOfServer(), folder, env })
  onTestFinished(() => site.stop())
  return { site, trouble }
}

/** Each way in has its words for a database that is away, and the page itself does not need one. */
async function expectPlainWords(site: RunningSite) {
  const headers = await signIn(site.url)
  const [asked, form, ...statuses] = await Promise.all([
    signUp(site.url, headers, 'visitor@example.com'),
    fetch(site.url + paths.subscribe, {
      method: 'POST',
      headers: fromOurPage,
      body: new URLSearchParams({ email: 'visitor@example.com' }),
    }),
    ...['/', '/healthz', '/readyz'].map(async (path) => (await fetch(site.url + path)).status),
  ])
  expect(asked).toEqual({ status: 503, body: UNAVAILABLE })
  expect(form.status).toBe(503)
  const page = await form.text()
  expect(page).toContain('<p id="database-unavailable">')
  expect(page).toContain('value="visitor@example.com"')
  expect(statuses).toEqual([200, 200, 503])
}
