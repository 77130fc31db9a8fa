import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import {
  type CountedHour,
  DAYS_BY_HOUR,
  HOUR_MS,
  MOST_DAYS,
  noVisits,
} from '../../../src/store/visits.ts'
import { ids } from '../../fixtures/keys.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const BEGAN = Date.UTC(2026, 0, 5)

it('keeps a name that is opened each hour in a bounded number of rows, and every count of its time', async () => {
  const file = join(tempDir(), 'subscribers.sqlite')
  const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  onTestFinished(() => store.close())
  const names = ['hn', null].map((name) => ({ kind: 'source' as const, name, number: 1 }))
  const days = MOST_DAYS + 50
  for (let day = 0; day < days; day += 1)
    for (let hour = 0; hour < 24; hour += 12)
      await store.visits.add(
        Array.from({ length: 12 }, (_, i) => ({
          hour: new Date(BEGAN + (day * 24 + hour + i) * HOUR_MS),
          names,
          counts: { ...noVisits(), first: 2 },
        })),
      )

  const kept = new DatabaseSync(file, { readOnly: true })
  onTestFinished(() => kept.close())
  const rows = kept.prepare('SELECT nameId, count(*) AS n FROM visitsByName GROUP BY nameId')
  const bound = 24 * DAYS_BY_HOUR + MOST_DAYS - DAYS_BY_HOUR
  expect(rows.all().map(({ n }) => n)).toEqual([bound, bound])

  const countedSince = async (day: number) =>
    (await store.visits.names(new Date(BEGAN + day * 24 * HOUR_MS))).map(({ number }) => number)
  const whole = 24 * MOST_DAYS
  expect(await countedSince(0)).toEqual([whole, whole])
  expect(await countedSince(days - 40)).toEqual([24 * 40, 24 * 40])
  expect(await countedSince(days - 1)).toEqual([24, 24])
  expect(await store.visits.since(new Date(0))).toHaveLength(24 * days)
})

describe('the counts of a day that are to be folded', () => {
  const NAMES = 1000
  const names = Array.from({ length: NAMES }, (_, i) => ({
    kind: 'source' as const,
    name: `name ${i}`,
    number: 1,
  }))
  const at = (day: number, hour = 0) => new Date(BEGAN + (day * 24 + hour) * HOUR_MS)
  const visit = (day: number, more = names.slice(0, 1)) => ({
    hour: at(day),
    names: more,
    counts: { ...noVisits(), first: 1 },
  })

  /** A thousand names in every hour of one day; before that, what a clock that was ahead counted. */
  async function openFull(ahead: readonly CountedHour[] = []) {
    const file = join(tempDir(), 'subscribers.sqlite')
    const open = () => sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
    const store = open()
    onTestFinished(() => store.close())
    const wrong = open()
    if (ahead.length > 0) await wrong.visits.add(ahead)
    await wrong.close()
    await store.visits.add(
      Array.from({ length: 24 }, (_, hour) => ({ ...visit(0, names), hour: at(0, hour) })),
    )
    const kept = new DatabaseSync(file, { readOnly: true })
    onTestFinished(() => kept.close())
    const old = kept.prepare('SELECT count(*) AS n FROM visitsByName WHERE hour < ?')
    const rowsOfDay = () => Number(old.get(at(1).getTime() / HOUR_MS)?.n)
    const total = async () =>
      (await store.visits.names(new Date(0))).reduce((sum, { number }) => sum + number, 0)
    return { store, rowsOfDay, total }
  }

  it('are folded a piece at a time, so that no visitor waits for all of them', async () => {
    const { store, rowsOfDay, total } = await openFull()
    expect(rowsOfDay()).toBe(24 * NAMES)
    let pieces = 0
    for (let before = rowsOfDay(); before > NAMES; pieces += 1) {
      await store.visits.add([visit(DAYS_BY_HOUR)])
      expect(before - rowsOfDay()).toBeLessThan(40 * 24)
      expect(before - rowsOfDay()).toBeGreaterThan(0)
      before = rowsOfDay()
    }
    expect(pieces).toBeGreaterThan(20)
    expect(await total()).toBe(24 * NAMES + pieces)
    expect(rowsOfDay()).toBe(NAMES)
  })

  it('are folded all the same where a clock was ahead once, or the day is never long enough', async () => {
    const { store, rowsOfDay, total } = await openFull([visit(1000, [])])
    // One visit a day.
    for (let day = 0; day < 70; day += 1) await store.visits.add([visit(DAYS_BY_HOUR + day)])
    expect(rowsOfDay()).toBe(NAMES)
    expect(await total()).toBe(24 * NAMES + 70)
  })
})
