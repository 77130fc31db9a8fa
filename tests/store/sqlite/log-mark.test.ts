import { cpSync, existsSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { markLog } from '../../../src/store/sqlite/log-mark.ts'
import { StoreMismatch } from '../../../src/store/subscriber-store.ts'
import { storeOnFile } from '../../fixtures/store-on-file.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { people } from '../contracts/people.ts'

function openList(file: string) {
  const store = storeOnFile(file)
  return { store, count: () => store.list.count() }
}

/** What a kill leaves of a list with so many people, the log with it. */
async function killed(count: number): Promise<string> {
  const [living, left] = ['living', 'left'].map((name) => join(tempDir(), `${name}.sqlite`))
  const { store } = openList(String(living))
  for (const one of people(count)) await store.list.importAll([one])
  for (const end of ['', '-wal']) cpSync(`${living}${end}`, `${left}${end}`)
  return String(left)
}

describe('a list whose log is missing after a kill', () => {
  it.each([1, 3])('is refused with %i people on it, as long as it is missing', async (count) => {
    const file = await killed(count)
    cpSync(`${file}-wal`, `${file}.log`)
    rmSync(`${file}-wal`)
    for (const _ of ['first', 'second']) {
      await expect(openList(file).count()).rejects.toThrow(StoreMismatch)
      expect(existsSync(`${file}-wal`)).toBe(false)
    }
    cpSync(`${file}.log`, `${file}-wal`)
    expect(await openList(file).count()).toBe(count)
  })

  it('is whole with its log, and then without it', async () => {
    const file = await killed(3)
    const { store, count } = openList(file)
    expect(await count()).toBe(3)
    await store.close()
    expect(existsSync(`${file}-wal`)).toBe(false)
    expect(await openList(file).count()).toBe(3)
  })

  it('is whole once another program has written the log back', async () => {
    const file = await killed(3)
    const other = new DatabaseSync(file)
    other.exec('SELECT count(*) FROM documents')
    other.close()
    expect(existsSync(`${file}-wal`)).toBe(false)
    expect(await openList(file).count()).toBe(3)
  })

  it('is whole after a kill between the two marks', async () => {
    const file = await killed(3)
    const marking = new DatabaseSync(file)
    markLog({
      exec: (text: string) => marking.exec(text),
      prepare: () => ({ get: () => ({}) }),
    } as never)
    cpSync(file, `${file}2`)
    cpSync(`${file}-wal`, `${file}2-wal`)
    marking.close()
    const { store, count } = openList(`${file}2`)
    expect(await count()).toBe(3)
    await store.close()
    expect(await openList(`${file}2`).count()).toBe(3)
  })
})

describe('a log whose list is missing after a kill', () => {
  it.each([
    ['missing', rmSync],
    ['empty', truncateSync],
  ])('is kept as it is while the file is %s', async (_how, take) => {
    const file = await killed(3)
    const log = readFileSync(`${file}-wal`)
    cpSync(file, `${file}.kept`)
    take(file)
    for (const _ of ['first', 'second']) {
      await expect(openList(file).count()).rejects.toThrow(StoreMismatch)
      expect(readFileSync(`${file}-wal`).equals(log)).toBe(true)
    }
    cpSync(`${file}.kept`, file)
    expect(await openList(file).count()).toBe(3)
  })
})
