import { expect, it } from 'vitest'
import type { SqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { HOUR_MS } from '../../../src/store/visits.ts'
import { localTime } from '../../../src/terminal/words.ts'
import { statusOf } from '../../fixtures/status.ts'
import { storeOnFile } from '../../fixtures/store-on-file.ts'

const ago = (days: number) => new Date(Date.now() - days * 24 * HOUR_MS)

async function linesOf(store: SqliteStore): Promise<string[]> {
  const lines = (await statusOf(store)).split('\n')
  return lines.map((line) => line.replaceAll(/ {2,}/g, ' | '))
}

/** Today and twenty days ago. */
async function visit(store: SqliteStore) {
  const now = new Date()
  for (const daysAgo of [0, 20]) {
    const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - daysAgo * 24 * HOUR_MS)
    const names = [
      { kind: 'source' as const, name: 'hn', number: 6 },
      { kind: 'host' as const, name: 'example.org', number: 2 },
      { kind: 'host' as const, name: null, number: 1 },
      { kind: 'campaign' as const, name: 'launch', number: 6 },
    ]
    const counts = { first: 10, return: 3, robot: 2, prefetch: 1 }
    await store.visits.add([{ hour, counts, names }])
  }
  const source = { source: 'hn', campaign: 'launch' }
  for (const name of ['one', 'two', 'three'])
    await store.list.add(`${name}@example.com`, { source })
  await store.list.add('direct@example.com')
}

it('shows visits and sources of today and of thirty days, with what came of them', async () => {
  const store = storeOnFile()
  await visit(store)
  expect(await linesOf(store)).toEqual(
    expect.arrayContaining([
      'Visits today | 10 | and 2 by robots',
      'In 30 days | 20 | and 4 by robots',
      'Conversion | 40 %',
      'In 30 days | 20 %',
      'Hacker News | 12 | 3 | 6 | 3',
      'example.org | 4 | – | 2 | –',
      'launch | 12 | 3 | 6 | 3',
      'others | 2 | 0 | 1 | 0',
      'direct | 2 | 1 | 1 | 1',
    ]),
  )
  const { days, sources, ...figures } = JSON.parse(await statusOf(store, { json: true }))
  expect(figures).toMatchObject({ repeatedToday: 3, repeated: 6, robots: 4, prefetched: 2 })
  const day = localTime(new Date()).slice(0, 10)
  expect(days.at(-1)).toEqual({ day, signUps: 4, visits: 10 })
  const counts = { visits: 12, signUps: 3, visitsToday: 6, signUpsToday: 3 }
  expect(sources).toContainEqual({ kind: 'source', name: 'hn', ...counts })
})

it('says what a clock was, where it was ahead when the last back-up was tested', async () => {
  const [kept, goodRehearsal] = [[{ at: ago(1) }], { at: ago(-1.25) }]
  const backups = { record: async () => ({ kept, goodRehearsal }) } as never
  const said = await statusOf(storeOnFile(), { backups, all: true })
  expect(said).toMatch(
    /^Last test of a back-up: .* \d{4}-\d\d-\d\d \S+, by a clock that was ahead$/m,
  )
})
