import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { numbersIn } from '../../../src/store/sqlite/visits.ts'
import {
  type CountedHour,
  DAYS_BY_HOUR,
  HOUR_MS,
  MOST_DAYS,
  noVisits,
} from '../../../src/store/visits.ts'
import { ids } from '../../fixtures/keys.ts'
import { sqliteStore } from '../../fixtures/taken-in.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const BEGAN = Date.UTC(2026, 0, 5)
const source = { kind: 'source' as const }

it('keeps a bounded number of hours and days, and every count of its time', async () => {
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
  const rows = kept.prepare('SELECT count(*) AS n FROM visitsByName').get()
  expect(rows?.n).toBe(24 * DAYS_BY_HOUR + MOST_DAYS - DAYS_BY_HOUR)

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
    const hoursOfDay = () => Number(old.get(at(1).getTime() / HOUR_MS)?.n)
    const total = async () =>
      (await store.visits.names(new Date(0))).reduce((sum, { number }) => sum + number, 0)
    return { kept, store, hoursOfDay, total }
  }

  it('are folded two hours at a time, so that no visitor waits for all of them', async () => {
    const { store, hoursOfDay, total } = await openFull()
    for (let left = 24, pieces = 0; left > 1; pieces += 1) {
      expect(hoursOfDay()).toBe(left)
      await store.visits.add([visit(DAYS_BY_HOUR)])
      left = Math.max(1, left - 2)
      expect(await total()).toBe(24 * NAMES + pieces + 1)
    }
    expect(hoursOfDay()).toBe(1)
  })

  it('are folded all the same where a clock was ahead once, or the day is never long enough', async () => {
    const { store, hoursOfDay, total } = await openFull([visit(1000, [])])
    // One visit a day.
    for (let day = 0; day < 70; day += 1) await store.visits.add([visit(DAYS_BY_HOUR + day)])
    expect(hoursOfDay()).toBe(1)
    expect(await total()).toBe(24 * NAMES + 70)
  })

  it('are of a thousand names an hour at most, whatever strangers send', async () => {
    const { kept, store, total } = await openFull()
    for (let n = 0; n < 3; n += 1)
      await store.visits.add([
        visit(
          0,
          Array.from({ length: NAMES }, (_, i) => ({ ...source, name: `${n} ${i}`, number: 9 })),
        ),
      ])
    expect(await total()).toBe(24 * NAMES + 3 * 9 * NAMES)
    const hours = kept.prepare('SELECT numbers FROM visitsByName').all()
    for (const { numbers } of hours) expect(numbersIn(numbers).length).toBeLessThan(NAMES + 5)
  })

  it('are read as far as they can be, since anybody may have written the file', () => {
    expect(numbersIn('["s1",3,"s2","3","s3",-1,"s4",1.5,5,5,"s6"]')).toEqual([['s1', 3]])
    for (const hostile of ['', 'x', 'null', '5', '{}', undefined])
      expect(numbersIn(hostile)).toEqual([])
  })
})
