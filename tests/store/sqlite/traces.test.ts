import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseEmail } from '../../../src/shared/email.ts'
import { holdsAnyOf } from '../../../src/store/sqlite/traces.ts'
import { ids } from '../../fixtures/keys.ts'
import { storeOnFile } from '../../fixtures/store-on-file.ts'
import { sqliteStore } from '../../fixtures/taken-in.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { people, person } from '../contracts/people.ts'

const PAGE = 4096
const LEAF_OF_AN_INDEX = 10

/**
 * A list with an address in the free space of a page, where SQLite leaves what it has moved: between
 * the pointers to the cells and the cells, https://www.sqlite.org/fileformat.html#b_tree_pages.
 */
async function listWithTraceOf(email: string) {
  const file = join(tempDir(), 'store.sqlite')
  const open = () => sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  const first = open()
  await first.list.importAll(people(400))
  await first.close()
  const bytes = readFileSync(file)
  const pages = Array.from({ length: bytes.length / PAGE }, (_, i) => i * PAGE)
  const free = pages.flatMap((at) => {
    const end = at + 8 + 2 * bytes.readUInt16BE(at + 3)
    const room = at + bytes.readUInt16BE(at + 5) - end
    return bytes[at] === LEAF_OF_AN_INDEX && room > 200 ? [end + 50] : []
  })
  expect(free.length).toBeGreaterThan(0)
  const disk = openSync(file, 'r+')
  writeSync(disk, email, Number(free[0]))
  closeSync(disk)
  const store = open()
  onTestFinished(() => store.close())
  return { file, store }
}

const has = (file: string, email: string) =>
  readFileSync(file, 'latin1').includes(email) ||
  readFileSync(`${file}-wal`, 'latin1').includes(email)

describe('what SQLite leaves of an address that it has moved', () => {
  it('is gone when the address is forgotten, beside a server that goes on writing', async () => {
    const email = 'leaving@example.org'
    const { file, store } = await listWithTraceOf(email)
    const server = storeOnFile(file)
    await server.list.add(email)
    expect(has(file, email)).toBe(true)
    const [forgotten] = await Promise.all([
      store.standings.forget(email),
      server.list.add('new@example.org'),
    ])
    expect(forgotten.wasSubscriber).toBe(true)
    expect(has(file, email)).toBe(false)
    expect(await server.list.count()).toBe(401)
    const db = new DatabaseSync(file)
    expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    db.close()
  })

  it('is gone when it is forgotten again, or among many', async () => {
    const email = 'leaving@example.org'
    const again = await listWithTraceOf(email)
    expect((await again.store.standings.forget(email)).wasSubscriber).toBe(false)
    expect(has(again.file, email)).toBe(false)
    const many = await listWithTraceOf(email)
    await many.store.standings.forgetAll([person(1).email, email])
    expect(has(many.file, email)).toBe(false)
    expect(await many.store.list.count()).toBe(399)
  })

  it('is gone in the form that JSON gives it too', async () => {
    const email = '"a b\\\\c"@example.org'
    const { file, store } = await listWithTraceOf(JSON.stringify(email))
    expect(parseEmail(email)).toBe(email)
    await store.standings.forget(email)
    expect(has(file, '@example.org')).toBe(false)
  })
})

describe('looking for addresses in a file', () => {
  const fileWith = (text: string) => {
    const file = join(tempDir(), 'bytes')
    writeFileSync(file, text)
    return file
  }

  it('finds one wherever it stands, also across the chunks in which the file is read', async () => {
    const email = 'ada+bell@müller.example'
    for (const before of [0, 1, 2 ** 20 - 30, 2 ** 20 - 10, 2 ** 20 - 2, 2 ** 20, 3 * 2 ** 20])
      expect(
        await holdsAnyOf(fileWith(`@@${'-'.repeat(before)}${email}\u0000`), ['x@y.z', email]),
        String(before),
      ).toBe(true)
  })

  it('finds none where none stands', async () => {
    const file = fileWith('ada@example.org bob@example.com @example.com ada@example ')
    expect(await holdsAnyOf(file, ['ada@example.com', 'eve@example.org', 'a@b.c'])).toBe(false)
    expect(await holdsAnyOf(file, [])).toBe(false)
    expect(await holdsAnyOf(file, ['eve@example.org', 'bob@example.com'])).toBe(true)
  })
})
