import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { sqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { DAYS_BY_HOUR, HOUR_MS, MOST_DAYS, noVisits } from '../../../src/store/visits.ts'
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
      await store.countVisits(
        Array.from({ length: 12 }, (_, i) => ({
          ...{ hour: new Date(BEGAN + (day * 24 + hour + i) * HOUR_MS), names },
          counts: { ...noVisits(), first: 2 },
        })),
      )

  const kept = new DatabaseSync(file, { readOnly: true })
  onTestFinished(() => kept.close())
  const rows = kept.prepare('SELECT nameId, count(*) AS n FROM visitsByName GROUP BY nameId')
  const bound = 24 * DAYS_BY_HOUR + MOST_DAYS - DAYS_BY_HOUR
  expect(rows.all().map(({ n }) => n)).toEqual([bound, bound])

  const countedSince = async (day: number) =>
    (await store.visitNames(new Date(BEGAN + day * 24 * HOUR_MS))).map(({ number }) => number)
  const whole = 24 * MOST_DAYS
  expect(await countedSince(0)).toEqual([whole, whole])
  expect(await countedSince(days - 40)).toEqual([24 * 40, 24 * 40])
  expect(await countedSince(days - 1)).toEqual([24, 24])
  expect(await store.visits(new Date(0))).toHaveLength(24 * days)
})
