import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { connectionTo, inTransaction } from '../../../src/store/sqlite/connection.ts'
import {
  makeList,
  newestVersion,
  takeSteps,
  versionOf,
} from '../../../src/store/sqlite/versions.ts'
import { StoreMismatch } from '../../../src/store/subscriber-store.ts'
import { storeOnFile } from '../../fixtures/store-on-file.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

function opened(file: string) {
  const store = storeOnFile(file)
  return store
}

/** A list with somebody on it, that nobody has open. */
async function list(sql: string) {
  const file = join(tempDir(), 'subscribers.sqlite')
  const store = opened(file)
  await store.list.add('ada@example.com')
  await store.close()
  return changed(file, `${sql}; PRAGMA wal_checkpoint(TRUNCATE)`)
}

function changed(file: string, sql: string) {
  const db = new DatabaseSync(file)
  db.exec(sql)
  db.close()
  return file
}

const another = (version: number) =>
  `is of version ${version}, and this program reads version ${newestVersion}: use the program that wrote it`

it('is of the first version, as the first release has it', () => {
  expect(newestVersion).toBe(1)
})

it.each([
  ['of a later version', 'PRAGMA user_version = 99', another(99)],
  ['of the numbers before the first release', 'PRAGMA user_version = 18', another(18)],
  ['of a number that is none', 'PRAGMA user_version = -1', another(-1)],
  [
    'of the numbers before the first release that has come up to one of ours',
    "DROP TABLE notes; CREATE VIEW notes AS SELECT 'commits' AS name, '1' AS data",
    'is a database of another program',
  ],
  ['of no version', 'PRAGMA user_version = 0', 'is a database of another program'],
  ['without what ours have', 'DROP TABLE persons', 'is a database of another program'],
])('a list %s is refused with one sentence, and stays as it is', async (_, sql, why) => {
  const file = await list(sql)
  const before = readFileSync(file)
  const store = opened(file)
  for (const attempt of [() => store.list.add('bob@example.com'), () => store.list.count()])
    await expect(attempt()).rejects.toThrow(`${file} ${why}`)
  expect(() => store.open()).toThrow(StoreMismatch)
  await store.close()
  expect(readFileSync(file)).toEqual(before)
})

it('a database of another program is refused, and gets no table of ours', async () => {
  const file = changed(join(tempDir(), 'theirs.sqlite'), 'CREATE TABLE theirs (a)')
  await expect(opened(file).list.count()).rejects.toThrow('is a database of another program')
  const db = new DatabaseSync(file)
  expect(db.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'theirs' }])
  db.close()
})

it('a file of an older release takes the steps that it lacks, in order, and those alone', () => {
  const db = new DatabaseSync(':memory:')
  makeList(db, 'test')
  const add = (column: string) => (on: DatabaseSync) =>
    on.exec(`ALTER TABLE notes ADD COLUMN ${column} INTEGER`)
  const columns = () =>
    db
      .prepare(`SELECT name FROM pragma_table_info('notes')`)
      .all()
      .map(({ name }) => name)
  const steps = [
    { version: 2, why: 'One is kept.', up: add('one') },
    { version: 3, why: 'Another is kept.', up: add('another') },
  ]
  takeSteps(db, steps.slice(0, 1))
  expect([versionOf(db), columns()]).toEqual([2, ['name', 'data', 'one']])
  takeSteps(db, steps)
  takeSteps(db, steps)
  expect([versionOf(db), columns()]).toEqual([3, ['name', 'data', 'one', 'another']])
})

it('a step with a fault leaves the file as it was', () => {
  const db = new DatabaseSync(':memory:')
  makeList(db, 'test')
  const step = {
    version: 2,
    why: 'It fails.',
    up(on: DatabaseSync) {
      on.exec('DROP TABLE counters')
      throw new TypeError('ours')
    },
  }
  expect(() => inTransaction(connectionTo(db), () => takeSteps(db, [step]))).toThrow('ours')
  expect(versionOf(db)).toBe(1)
  expect(db.prepare('SELECT count(*) AS n FROM counters').get()).toEqual({ n: 0 })
})
