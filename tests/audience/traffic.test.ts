import { describe, expect, it } from 'vitest'
import { conversionOf, countedSignUps, trafficOf } from '../../src/audience/traffic.ts'
import { visitorKinds } from '../../src/audience/visitor-kind.ts'
import { type NameCount, noVisits } from '../../src/store/visits.ts'

const HOUR_MS = 3_600_000
const day = (date: number) => new Date(2026, 10, date)
const starts = [day(16), day(17), day(18)]

/** Visits by the hour from a day's midnight, and names since the first day and since today. */
function storeOf(
  hours: [hour: Date, first: number][],
  names: Record<'visits' | 'signUps', [whole: NameCount[], today: NameCount[]]>,
) {
  const since =
    ([all, today]: [NameCount[], NameCount[]]) =>
    async () => ({ all, today })
  return {
    since: async () => hours.map(([hour, first]) => ({ hour, counts: { ...noVisits(), first } })),
    names: since(names.visits),
    signUpNames: since(names.signUps),
  } as never
}

const source = (name: string | null, number: number) => ({ kind: 'source' as const, name, number })
const none: [NameCount[], NameCount[]] = [[], []]

describe('the traffic of some days', () => {
  it('has each hour in the day in which it begins, and none of before', async () => {
    const at = (date: number, hours: number) => new Date(day(date).getTime() + hours * HOUR_MS)
    const hours: [Date, number][] = [
      ...([
        [at(16, -1), 1000],
        [at(16, 0), 1],
        [at(16, 23), 2],
      ] as [Date, number][]),
      ...([
        [at(17, 0), 4],
        [at(18, 0), 8],
        [at(18, 13), 16],
      ] as [Date, number][]),
    ]
    const { days, today, whole } = await trafficOf(
      storeOf(hours, { visits: none, signUps: none }),
      starts,
    )
    expect(days.map(({ first }) => first)).toEqual([3, 4, 24])
    expect([today.first, whole.first]).toEqual([24, 31])
  })

  it('has the commonest source first, by visits and then by sign-ups', async () => {
    const names = {
      visits: [
        [
          source('hn', 7),
          source('rare', 2),
          source(null, 2),
          { kind: 'host', name: 'x.example', number: 9 },
        ],
        [source('hn', 3)],
      ] as [NameCount[], NameCount[]],
      signUps: [[source('rare', 1), source(null, 2)], [source('rare', 1)]] as [
        NameCount[],
        NameCount[],
      ],
    }
    const { sources } = await trafficOf(storeOf([], names), starts)
    const row = { kind: 'source', visitsToday: 0, signUpsToday: 0 }
    expect(sources).toEqual([
      // Who signed up says nothing of the link that led to the page.
      {
        kind: 'host',
        name: 'x.example',
        visits: 9,
        signUps: null,
        visitsToday: 0,
        signUpsToday: null,
      },
      { ...row, name: 'hn', visits: 7, signUps: 0, visitsToday: 3 },
      { ...row, name: null, visits: 2, signUps: 2 },
      { ...row, name: 'rare', visits: 2, signUps: 1, signUpsToday: 1 },
    ])
  })

  it('counts sign-ups of the days alone on which visits were counted', () => {
    const days = [0, 50, 50].map((first) => ({ ...noVisits(), first }))
    expect(countedSignUps(days, [1000, 3, 4])).toBe(7)
    expect(countedSignUps(days, [1000])).toBe(0)
    expect(conversionOf(days, [1000, 3, 4])).toBe(7)
    expect(conversionOf(days, [0, 60, 41])).toBeNull()
    expect(conversionOf(days.slice(0, 1), [0])).toBeNull()
  })
})

it.each([
  [{}, 'robot'],
  [{ 'user-agent': 'curl/8.0' }, 'robot'],
  [{ 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' }, 'person'],
  [{ 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }, 'robot'],
  [{ 'user-agent': 'Mozilla/5.0 Firefox/140.0', 'sec-purpose': 'prefetch;prerender' }, 'prefetch'],
  [{ 'user-agent': 'Mozilla/5.0 Firefox/140.0', purpose: 'prefetch' }, 'prefetch'],
  [{ 'user-agent': 'Mozilla/5.0 Firefox/140.0', 'x-moz': 'prefetch' }, 'prefetch'],
  [{ 'user-agent': 'Mozilla/5.0 Firefox/140.0', 'sec-purpose': 'other' }, 'person'],
  // Of a long name, only its beginning is looked at.
  [{ 'user-agent': `Mozilla/5.0 Firefox/140.0${' '.repeat(400)}Googlebot/2.1` }, 'person'],
  [{ 'user-agent': `Mozilla/5.0 (compatible; Googlebot/2.1)${' '.repeat(400)}` }, 'robot'],
])('a visitor who says %j is a %s', (headers, kind) => {
  const kindOf = visitorKinds()
  // The second time from memory.
  expect([kindOf(headers), kindOf(headers)]).toEqual([kind, kind])
})
