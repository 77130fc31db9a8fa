import { join } from 'node:path'
import { expect, it } from 'vitest'
import { MOST_DAYS, MOST_NAMES, namesIn, namesText, noVisits } from '../../../src/store/visits.ts'
import { storeOnFile } from '../../fixtures/store-on-file.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const source = (name: string | null, number: number) => ({ kind: 'source' as const, name, number })

it('keeps a bounded number of days, and every count of its time', async () => {
  const file = join(tempDir(), 'subscribers.sqlite')
  const store = storeOnFile(file)
  const days = MOST_DAYS + 50
  const at = (day: number, hour = 0) => new Date(2026, 0, 5 + day, hour)
  for (let day = 0; day < days; day += 1)
    await store.visits.add(
      [0, 23].map((hour) => ({
        hour: at(day, hour),
        names: [source('hn', 1), source(null, 1)],
        counts: { ...noVisits(), first: 2 },
      })),
    )
  const since = async (day: number) =>
    (await store.visits.names(at(day))).all.map(({ number }) => number)
  expect(await since(0)).toEqual([2 * MOST_DAYS, 2 * MOST_DAYS])
  expect(await since(days - 40)).toEqual([80, 80])
  expect(await since(days - 1)).toEqual([2, 2])
  expect(await store.visits.since(new Date(0))).toHaveLength(2 * days)
})

it('has room for a thousand names a day, and for fewer of the longest, whatever strangers send', () => {
  const many = (one: string, number: number) =>
    Array.from({ length: 3 * MOST_NAMES }, (_, i) => source(`${i}`.padStart(64, one), number))
  const usual = Array.from({ length: 3 * MOST_NAMES }, (_, i) => source(`name ${i}`, 1))
  const common = source('hn', 500)
  for (const flood of [usual, many('x', 3), many('\u65e5', 3), many('"', 3)]) {
    let kept = ''
    for (let times = 0; times < 3; times += 1)
      kept = namesText([...namesIn(kept), common, ...flood])
    expect(Buffer.byteLength(kept)).toBeLessThan(61_000)
    const names = namesIn(kept)
    expect(names[0]).toEqual(source('hn', 1500))
    const all = 3 * (500 + flood.reduce((sum, { number }) => sum + number, 0))
    expect(names.reduce((sum, { number }) => sum + number, 0)).toBe(all)
    if (flood === usual) expect(names).toHaveLength(MOST_NAMES + 1)
  }
})

it('reads names as far as they can be, since anybody may have written the file', () => {
  const rows = [['source', 'hn', 3], ['host', null, 1], ['x', 'y', 1], ['source', 5, 1], 7, null]
  const more = [
    ['source', 'a', -1],
    ['source', 'b', 1.5],
    ['source', 'c', '3'],
  ]
  expect(namesIn(JSON.stringify([...rows, ...more]))).toEqual([
    source('hn', 3),
    { kind: 'host', name: null, number: 1 },
  ])
  for (const hostile of ['', 'x', 'null', '5', '{}', undefined])
    expect(namesIn(hostile)).toEqual([])
})
