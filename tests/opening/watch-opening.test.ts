/** @module-tag thorough */
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { type OpeningWatch, watchOpening } from '../../src/opening/watch-opening.ts'
import { readMoment } from '../../src/shared/zoned-time.ts'
import type { SqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { StoreUnavailable } from '../../src/store/subscriber-store.ts'
import { storeOnFile } from '../fixtures/store-on-file.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const url = 'https://app.example.com/'

/** The store is a real file; only the clock is played. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function openStore(file = join(tempDir(), 'store.sqlite')) {
  const store = storeOnFile(file)
  return { store, file }
}

async function start(store: Parameters<typeof watchOpening>[0]): Promise<OpeningWatch> {
  const watch = watchOpening(store, (fault) => {
    throw fault
  })
  onTestFinished(() => watch.close())
  await watch.looked
  return watch
}

/** Lets so much time go by, tick for tick, and what waits for the file finish in between. */
async function pass(ms: number) {
  await vi.advanceTimersByTimeAsync(ms)
}

async function plan(store: SqliteStore, at: string, zone: string) {
  const read = readMoment(at, zone)
  if ('mistake' in read) throw new Error(read.mistake)
  await store.opening.set({ ...read, url, openedAt: undefined })
  return read.at
}

it('comes at that moment, on every server, and not before, though the clocks change until then', async () => {
  const moment = Date.parse('2027-03-28T01:00:00Z')
  vi.setSystemTime(moment - 60_000)
  const { store, file } = openStore()
  const [one, other] = [await start(store.opening), await start(openStore(file).store.opening)]
  expect(Number(await plan(store, '2027-03-28T03:00', 'Europe/Berlin'))).toBe(moment)
  await pass(60_000 - 1000)
  expect([one.url(), other.url()]).toEqual([undefined, undefined])
  await pass(999)
  expect([one.url(), other.url()]).toEqual([undefined, undefined])
  await pass(501)
  expect([one.url(), other.url()]).toEqual([url, url])
  expect(await store.opening.get()).toMatchObject({ openedAt: expect.any(Date) })
})

it('comes within a second of the start, where the server was down at that moment', async () => {
  vi.setSystemTime('2027-01-12T07:59:59Z')
  const { store } = openStore()
  await plan(store, '2027-01-12T08:00', 'UTC')
  vi.setSystemTime('2027-01-12T11:00:00Z')
  const watch = await start(store.opening)
  expect(watch.url()).toBe(url)
})

it('is not taken back by a clock that is set back, on this server or another', async () => {
  vi.setSystemTime('2027-01-12T08:00:00Z')
  const { store, file } = openStore()
  await plan(store, '2027-01-12T08:00:01', 'UTC')
  const watch = await start(store.opening)
  await pass(1500)
  expect(watch.url()).toBe(url)
  vi.setSystemTime('2027-01-11T00:00:00Z')
  await pass(5000)
  expect(watch.url()).toBe(url)
  const late = await start(openStore(file).store.opening)
  expect(late.url()).toBe(url)
})

it('is not taken back either while the store cannot note it, and is noted when it can', async () => {
  vi.setSystemTime('2027-01-12T08:00:00Z')
  const { store } = openStore()
  await plan(store, '2027-01-12T08:00:01', 'UTC')
  let isAway = false
  const away = async () => {
    throw new StoreUnavailable('It is away.')
  }
  const watch = await start({
    ...store.opening,
    get: () => (isAway ? away() : store.opening.get()),
    noteOpened: (...args) => (isAway ? away() : store.opening.noteOpened(...args)),
  })
  isAway = true
  await pass(1500)
  expect(watch.url()).toBe(url)
  vi.setSystemTime('2027-01-11T00:00:00Z')
  await pass(5000)
  expect(watch.url()).toBe(url)
  isAway = false
  await pass(1000)
  expect(await store.opening.get()).toMatchObject({ openedAt: expect.any(Date) })
  expect(watch.url()).toBe(url)
})

it('is heard of within a second, and undone within one, by every server', async () => {
  const { store, file } = openStore()
  const watches = [await start(store.opening), await start(openStore(file).store.opening)]
  const turns: (string | undefined)[] = []
  watches[1]?.onTurn((to) => turns.push(to))
  const now = new Date()
  await store.opening.set({ url, at: now, zone: 'UTC', openedAt: now })
  await pass(1000)
  expect(watches.map((one) => one.url())).toEqual([url, url])
  await store.opening.set({ url: 'https://example.com/', at: now, zone: 'UTC', openedAt: now })
  await pass(1000)
  await store.opening.undo()
  await pass(1000)
  expect(watches.map((one) => one.url())).toEqual([undefined, undefined])
  expect(turns).toEqual([url, 'https://example.com/', undefined])
})

it('opens again at its new time when that was moved, though it was open before', async () => {
  vi.setSystemTime('2027-01-12T08:00:00Z')
  const { store } = openStore()
  await plan(store, '2027-01-12T08:00:01', 'UTC')
  const watch = await start(store.opening)
  await pass(1500)
  await store.opening.undo()
  await plan(store, '2027-01-12T09:00', 'UTC')
  await pass(1000)
  expect(watch.url()).toBeUndefined()
  vi.setSystemTime('2027-01-12T08:59:59Z')
  await pass(1500)
  expect(watch.url()).toBe(url)
})

it.each(['get', 'noteOpened'] as const)(
  'is closed only when it asks the store for nothing any more: %s',
  async (name) => {
    const { store } = openStore()
    await store.opening.set({ url, at: new Date(), zone: 'UTC', openedAt: undefined })
    const { promise, resolve } = Promise.withResolvers<void>()
    let asked = 0
    const slow = async () => {
      asked += 1
      await promise
    }
    const watch = watchOpening(
      {
        ...store.opening,
        [name]: slow,
      },
      () => {},
    )
    await pass(1)
    let isClosed = false
    const closing = watch.close().then(() => {
      isClosed = true
    })
    await pass(5000)
    expect([asked, isClosed]).toEqual([1, false])
    resolve()
    await closing
    await pass(5000)
    expect(asked).toBe(1)
  },
)

it('opens at its moment, and not half a second later', async () => {
  vi.setSystemTime('2027-01-12T07:59:58.800Z')
  const { store } = openStore()
  await plan(store, '2027-01-12T08:00', 'UTC')
  const watch = await start(store.opening)
  await pass(1199)
  expect(watch.url()).toBeUndefined()
  await pass(2)
  expect(watch.url()).toBe(url)
})

it('notes an opening once, and asks for nothing any more once it is closed', async () => {
  const { store } = openStore()
  await store.opening.set({ url, at: new Date(), zone: 'UTC', openedAt: undefined })
  const asked = { get: 0, noteOpened: 0 }
  const watch = await start({
    get() {
      asked.get += 1
      return store.opening.get()
    },
    noteOpened(...args) {
      asked.noteOpened += 1
      return store.opening.noteOpened(...args)
    },
  })
  await pass(3000)
  expect(asked.noteOpened).toBe(1)
  await watch.close()
  const { get } = asked
  await pass(3000)
  expect(asked).toEqual({ get, noteOpened: 1 })
})

it('hides no fault of ours, and tells each once', async () => {
  const { store } = openStore()
  const faults: unknown[] = []
  const fault = new TypeError('it is broken')
  let isBroken = true
  const get = () => (isBroken ? Promise.reject(fault) : store.opening.get())
  const watch = watchOpening({ ...store.opening, get }, (one) => faults.push(one))
  await watch.looked
  await pass(2000)
  expect(faults).toEqual([fault])
  // The same one again is told again.
  isBroken = false
  await pass(1000)
  isBroken = true
  await pass(2000)
  await watch.close()
  expect(faults).toEqual([fault, fault])
})
