/** @module-tag thorough */

import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseEmail } from '../../src/shared/email.ts'
import { checkCopy } from '../../src/store/sqlite/copy.ts'
import { StoreUnavailable } from '../../src/store/subscriber-store.ts'
import { enlist } from '../fixtures/enlist.ts'
import { ids } from '../fixtures/keys.ts'
import { storeOnFile } from '../fixtures/store-on-file.ts'
import { sqliteStore } from '../fixtures/taken-in.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { people, person } from '../store/contracts/people.ts'
import { amount, chance, report, seed } from './form.ts'

const BROKEN_COPIES = amount(150, 5000)
const SUBSCRIBERS = 40

function open(file = join(tempDir(), 'subscribers.sqlite')) {
  const store = storeOnFile(file)
  const check = async (copy: string) => checkCopy(copy, 'test', false)
  const restore = async (copy: string) => {
    await check(copy)
    return store.restore(copy, { isBelieved: false })
  }
  return { store, check, restore }
}

let whole: Buffer
beforeAll(async () => {
  const folder = execFileSync('mktemp', ['-d'], { encoding: 'utf8' }).trim()
  const file = join(folder, 'subscribers.sqlite')
  const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  await store.list.importAll(people(SUBSCRIBERS))
  await store.standings.set([{ email: person(1).email, standing: 'bounced', detail: '550 no' }])
  await store.lock.acquire({ owner: 'me', host: 'here', pid: 1 }, 60_000)
  await store.ledger.begin('me', 'launch', { subject: 'We are open', digest: 'x' })
  await enlist(store, 'me', 'launch', people(SUBSCRIBERS))
  await store.ledger.countEligible('me', 'launch')
  writeFileSync(join(folder, 'copy.sqlite'), '')
  await store.backups.copyTo(join(folder, 'copy.sqlite'), {}, new Date())
  await store.close()
  whole = readFileSync(join(folder, 'copy.sqlite'))
  execFileSync('rm', ['-r', folder])
})

/** A whole copy, and what somebody did to it. */
function copyWith(hostile: string | ((db: DatabaseSync) => void)): string {
  const file = join(tempDir(), 'copy.sqlite')
  writeFileSync(file, whole)
  const db = new DatabaseSync(file, { defensive: false })
  db.exec('PRAGMA writable_schema = ON')
  if (typeof hostile === 'string') db.exec(hostile)
  else hostile(db)
  db.close()
  return file
}

/** Everything that is listed may be there: nothing in it would order a terminal about, or anybody. */
async function expectClean(store: ReturnType<typeof open>['store']) {
  let count = 0
  for await (const { email, subscribedAt, detail = '' } of store.list.stream({ standing: 'all' })) {
    count += 1
    expect(parseEmail(email)).toBe(email)
    expect(subscribedAt.getTime()).toBeGreaterThanOrEqual(0)
    expect(subscribedAt.getTime()).toBeLessThanOrEqual(Date.now())
    expect(detail).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  }
  for (const { id, subject, begunAt } of await store.ledger.announcements()) {
    expect(`${id} ${subject} ${begunAt.toISOString()}`).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    for await (const { email, answer = '' } of store.ledger.deliveries(id))
      expect(`${email} ${answer}`).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  }
  return count
}

describe('restoring a copy that somebody made up', () => {
  const endless = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
    SELECT '/artifacts/test/public/data/subscribers' AS collection, i AS id,
      json_object('email', i || '@example.com', 'subscribedAt', '2026-01-01T00:00:00.000Z') AS data
    FROM n`
  const tricks = {
    'an endless view for a table': `DROP TABLE documents; CREATE VIEW documents AS ${endless}`,
    'an endless view for a small table': `DROP TABLE notes; CREATE VIEW notes AS WITH RECURSIVE
      n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS name, 'null' AS data FROM n`,
    'a virtual table': `DROP TABLE announcements;
      CREATE VIRTUAL TABLE announcements USING fts5(id, subject, digest, begunAt, upTo, eligible)`,
    'columns that are computed': `ALTER TABLE documents RENAME TO d; CREATE TABLE documents (
      path TEXT, collection TEXT, id INTEGER PRIMARY KEY, data TEXT AS (hex(zeroblob(50000))) )`,
    'a table without its rules': `DROP TABLE deliveries; CREATE TABLE deliveries (
      announcement, number, status, tries, turn, changedAt, owner, answer, standing)`,
    'a schema that is no SQL': `UPDATE sqlite_schema SET sql = 'CREATE TABLE documents (x'
      WHERE name = 'documents'`,
    'a trigger': 'CREATE TRIGGER t AFTER INSERT ON documents BEGIN DELETE FROM documents; END',
    'an index that computes': `CREATE INDEX slow ON documents (length(${'hex('.repeat(8)}data${')'.repeat(8)}))`,
    'another endless view': `CREATE VIEW endless AS ${endless}`,
    'the version of another program': 'PRAGMA user_version = 2000000',
    'a version below all': 'PRAGMA user_version = -5',
    'a version that it is not of': 'PRAGMA user_version = 0',
  }

  it.for(Object.entries(tricks))('refuses %s, and ends', { timeout: 20_000 }, async ([, sql]) => {
    const file = copyWith(sql)
    const { store, check, restore } = open()
    await expect(check(file)).rejects.toThrow(StoreUnavailable)
    await expect(restore(file)).rejects.toThrow(StoreUnavailable)
    expect(await store.list.count()).toBe(0)
  })

  it('refuses a cell that would fill the memory', async () => {
    const file = copyWith(`UPDATE announcements SET subject = hex(zeroblob(20000000))`)
    await expect(open().check(file)).rejects.toThrow('is no whole copy')
  })

  it('opens no pipe, device or folder', { timeout: 20_000 }, async () => {
    const folder = tempDir()
    execFileSync('mkfifo', [join(folder, 'pipe')])
    mkdirSync(join(folder, 'sub'))
    for (const file of [join(folder, 'pipe'), '/dev/zero', join(folder, 'sub')])
      await expect(open().restore(file)).rejects.toThrow('is no ordinary file')
  })

  it('brings back nothing but whole addresses from copies with random damage, or refuses', {
    tags: 'long',
  }, async (context) => {
    const random = chance(seed)
    const byte = (below: number) => Math.floor(random() * below)
    const file = join(tempDir(), 'copy.sqlite')
    const found = { refused: 0, restored: 0 }
    const base = join(tempDir(), 'base.sqlite')
    await open(base).store.list.count()
    for (let n = 0; n < BROKEN_COPIES; n++) {
      const bytes = Buffer.from(whole)
      for (let flips = 1 + byte(20); flips > 0; flips--) {
        // Half of them where the schema and the roots of the tables are.
        const at = random() < 0.5 ? byte(4096) : byte(bytes.length)
        bytes[at] = byte(256)
      }
      writeFileSync(file, bytes)
      const target = join(tempDir(), 'subscribers.sqlite')
      copyFileSync(base, target)
      const { store, restore } = open(target)
      try {
        const { added } = await restore(file)
        found.restored += 1
        expect(added).toBeLessThanOrEqual(SUBSCRIBERS)
      } catch (error) {
        expect(error, `seed ${seed}, copy ${n}`).toBeInstanceOf(StoreUnavailable)
        found.refused += 1
      }
      await expectClean(store)
      await store.close()
    }
    report(context, {
      done: 'restoring copies with random damage',
      times: BROKEN_COPIES,
      result: `${found.refused} refused, ${found.restored} restored, not one broken address (seed ${seed})`,
    })
  })
})
