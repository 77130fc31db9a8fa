import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { sqliteCopies } from '../../src/store/sqlite/copies.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { emptySqlite } from '../fixtures/empty-sqlite.ts'
import { ids } from '../fixtures/keys.ts'
import { standingCounts } from '../fixtures/standing-counts.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { people, person } from './contracts/people.ts'

const DAY_MS = 86_400_000
const sealKey = Buffer.alloc(32, 5)
const url = 'https://app.example.com/'

describe('the store, and copies from elsewhere', () => {
  let store: Store
  beforeEach(async () => {
    store = await emptySqlite()
  })
  afterEach(() => store.close())

  /** A copy of four people, of whom the first has left, made some days from now. */
  async function copied(daysFromNow = 0, sealed: Buffer | undefined = sealKey) {
    const folder = tempDir()
    if (daysFromNow !== 0) vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    vi.setSystemTime(Date.now() + daysFromNow * DAY_MS)
    const from = sqliteStore({
      file: join(folder, 'subscribers.sqlite'),
      appId: 'test',
      addressIds: ids,
      log: () => {},
    })
    await from.list.importAll(people(4))
    await from.standings.unsubscribe(ids.of(person(1).email))
    await from.opening.set({ url, at: new Date(), zone: 'UTC', openedAt: undefined })
    const file = join(folder, 'copy.sqlite')
    await from.backups.write(file, { sealKey: sealed, keys: { 'link.key': Buffer.alloc(32) } })
    vi.useRealTimers()
    await from.close()
    return file
  }

  function change(file: string, sql: string) {
    const db = new DatabaseSync(file)
    db.exec(sql)
    db.close()
    return file
  }

  const copies = () => sqliteCopies(store, ids, 'test')
  async function mailable() {
    const emails: string[] = []
    for await (const { email } of store.list.stream({})) emails.push(email)
    return emails.toSorted()
  }
  const [second, third, fourth] = [2, 3, 4].map((n) => person(n).email)

  it('takes one with the right seal for what it is', async () => {
    const file = await copied()
    expect(await copies().check(file, { sealKey })).toMatchObject({ seal: 'whole' })
    const progress: (readonly [done: number, all: number])[] = []
    const onProgress = (done: number, all: number) => void progress.push([done, all])
    expect(await copies().restore(file, { sealKey, onProgress })).toMatchObject({
      seal: 'whole',
      opening: url,
      added: 4,
    })
    // Four people, and one who left; not all of it at once, nor more than there is.
    expect(progress[0]?.[0]).toBeLessThan(5)
    expect(new Set(progress.map(([, all]) => all))).toEqual(new Set([progress.at(-1)?.[0]]))
    expect(await store.hold.get()).toBeUndefined()
    expect(await mailable()).toEqual([second, third, fourth])
  })

  const evil =
    "UPDATE notes SET data = json_set(data, '$.url', 'https://evil.example/phish') WHERE name = 'opening'"
  it.each([
    ['wrong', evil, sealKey],
    ['none', `${evil}; DELETE FROM copySeal`, sealKey],
    ['none', `${evil}; DROP TABLE copySeal`, sealKey],
    ['unknown', evil, undefined],
    ['other', evil, Buffer.alloc(32, 6)],
  ] as const)(
    'restores no opening and holds the list when the seal is %s: %s',
    async (why, sql, key) => {
      const file = change(await copied(), sql)
      const restored = await copies().restore(file, { sealKey: key })
      expect(restored).toMatchObject({ seal: why, held: why, added: 4 })
      expect(restored.opening).toBeUndefined()
      expect(await store.opening.get()).toBeUndefined()
      expect(await store.hold.get()).toMatchObject({ why })
      expect(await mailable()).toEqual([second, third, fourth])
      // The first reason stays, until the operator says that the list is right.
      await store.hold.begin({ why: 'other', since: new Date(0) })
      expect(await store.hold.get()).toMatchObject({ why })
      expect(await store.hold.end()).toBe(true)
      expect(await store.hold.get()).toBeUndefined()
      expect(await store.hold.end()).toBe(false)
    },
  )

  it('takes the list of one that does not say when it was made', async () => {
    const file = change(await copied(), 'DELETE FROM copied')
    expect(await copies().restore(file, { sealKey })).toMatchObject({ added: 4 })
  })

  it('believes one that the operator vouches for', async () => {
    const file = change(await copied(), 'DELETE FROM copySeal')
    const restored = await copies().restore(file, { sealKey, isBelieved: true })
    expect(restored).toMatchObject({ seal: 'none', opening: url })
    expect(await store.hold.get()).toBeUndefined()
  })

  it('holds the list when it was held as the copy was made', async () => {
    const file = await copied(0)
    const held = sqliteStore({
      file: join(tempDir(), 'subscribers.sqlite'),
      appId: 'test',
      addressIds: ids,
      log: () => {},
    })
    onTestFinished(() => held.close())
    await sqliteCopies(held, ids, 'test').restore(file)
    const again = join(tempDir(), 'copy.sqlite')
    await held.backups.write(again, { sealKey })
    expect(await copies().restore(again, { sealKey })).toMatchObject({ seal: 'whole' })
    expect(await store.hold.get()).toMatchObject({ why: 'unknown' })
  })

  it('refuses one that was made later than now, and changes nothing', async () => {
    const file = await copied(2)
    const restore = copies().restore(file, { sealKey, clock: 'ours' })
    await expect(restore).rejects.toThrow(
      /was made at .* this machine's clock says .*Set the clock/,
    )
    expect(await standingCounts(store)).toMatchObject({ subscribed: 0, unsubscribed: 0 })
    // One without that says it by its rows.
    const older = change(file, 'DROP TABLE copied')
    await expect(copies().restore(older, { clock: 'ours' })).rejects.toThrow('Set the clock')
    // Clocks differ by minutes, everywhere.
    const close = await copied(1 / 24 / 30)
    expect(await copies().restore(close, { sealKey, clock: 'ours' })).toMatchObject({ added: 4 })
    expect(await mailable()).toEqual([second, third, fourth])
  })

  it('brings nobody back who left, whatever a clock says', async () => {
    const file = await copied(2)
    expect(await copies().restore(file, { sealKey })).toMatchObject({ added: 4, refused: 0 })
    expect(await mailable()).toEqual([second, third, fourth])
  })

  it.each([
    ['$.noes.unsubscribed.at', "'9999-12-31T23:59:59.999Z'"],
    ['$.noes.unsubscribed.at', "'2026-99-99T99:99:99.999Z'"],
    ['$.noes.unsubscribed.at', "''"],
    ['$.noes.unsubscribed', 'true'],
    ['$.noes', `json('{"Unsubscribed":{"at":"2026-01-01T00:00:00.000Z"}}')`],
    ['$.noes', "''"],
    ['$.signedUp', "''"],
  ])('takes a no that cannot be read for a no: %s is %s', async (where, value) => {
    const theirs = `data ->> '$.noes.unsubscribed' IS NOT NULL`
    const file = change(
      await copied(),
      `UPDATE persons SET data = json_set(data, '${where}', ${value}) WHERE ${theirs}`,
    )
    await copies().restore(file, { isBelieved: true, clock: 'ours' })
    expect(await store.standings.of(person(1).email)).toMatchObject({ standing: 'unsubscribed' })
    expect(await mailable()).toEqual([second, third, fourth])
  })
})
