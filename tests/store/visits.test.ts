import { describe, expect, it } from 'vitest'
import { type CountedHour, MOST_DAYS, MOST_NAMES, noVisits } from '../../src/store/visits.ts'
import { eachHasStore, store } from '../fixtures/each-store.ts'
import { sourceKept } from '../fixtures/source-of.ts'

const hourAt = (hour: number) => new Date(2026, 0, 5, hour)
const LONG_AGO = new Date(0)

function counted(hour: number, first: number, more: Partial<CountedHour> = {}): CountedHour {
  return { hour: hourAt(hour), counts: { ...noVisits(), first }, names: [], ...more }
}

const source = (name: string | null, number: number) => ({ kind: 'source' as const, name, number })

describe('the store, of visits', () => {
  eachHasStore()

  /** A store may keep a source a moment after the sign-up. */
  const sourceOf = (email: string) => expect.poll(() => sourceKept(store, email))

  it('adds up what is counted, hour by hour', async () => {
    const both = { ...noVisits(), first: 2, return: 3, robot: 4, prefetch: 5 }
    await store.visits.add([counted(9, 1), { ...counted(10, 0), counts: both }])
    await store.visits.add([counted(9, 6)])
    expect(await store.visits.since(LONG_AGO)).toEqual([
      { hour: hourAt(9), counts: { ...noVisits(), first: 7 } },
      { hour: hourAt(10), counts: both },
    ])
    expect(await store.visits.since(new Date(hourAt(9).getTime() + 1))).toHaveLength(1)
  })

  it('loses no count when several add at once', async () => {
    await Promise.all(
      Array.from({ length: 5 }, () =>
        store.visits.add([counted(9, 1, { names: [source('hn', 1)] })]),
      ),
    )
    expect(await store.visits.since(LONG_AGO)).toMatchObject([{ counts: { first: 5 } }])
    expect((await store.visits.names(LONG_AGO)).all).toEqual([source('hn', 5)])
  })

  it('gives the names of the days that began then or later, the commonest first', async () => {
    const host = { kind: 'host' as const, name: 'hn', number: 1 }
    await store.visits.add([
      counted(23, 9, { names: [source('hn', 9)] }),
      counted(24, 3, { names: [source('hn', 1), source('x', 2), host] }),
    ])
    const since = async (hour: number) => (await store.visits.names(hourAt(hour))).all
    expect((await since(0))[0]).toEqual(source('hn', 10))
    expect(new Set(await since(24))).toEqual(new Set([source('hn', 1), source('x', 2), host]))
    expect((await since(24))[0]).toEqual(source('x', 2))
    const { all, today } = await store.visits.names(hourAt(0), hourAt(24))
    expect([all, today]).toEqual([await since(0), await since(24)])
  })

  it('counts the rarest together where there are too many names', async () => {
    await store.visits.add([counted(9, 500, { names: [source('hn', 500)] })])
    const names = Array.from({ length: MOST_NAMES + 50 }, (_, i) => source(`random ${i}`, 1))
    await store.visits.add([counted(9, names.length, { names })])
    const kept = (await store.visits.names(LONG_AGO)).all
    expect(kept.filter(({ name }) => name !== null)).toHaveLength(MOST_NAMES)
    expect(kept).toContainEqual(source('hn', 500))
    expect(kept).toContainEqual(source(null, 51))
    expect(kept.reduce((sum, { number }) => sum + number, 0)).toBe(500 + names.length)
  })

  it('keeps numbers for good, and names for their time', async () => {
    for (const day of [0, MOST_DAYS - 1, MOST_DAYS])
      await store.visits.add([counted(24 * day, 2, { names: [source('hn', 2)] })])
    expect(await store.visits.since(LONG_AGO)).toMatchObject([
      { counts: { first: 2 } },
      { counts: { first: 2 } },
      { counts: { first: 2 } },
    ])
    expect((await store.visits.names(LONG_AGO)).all).toEqual([source('hn', 4)])
  })

  it('keeps where a new address comes from, and counts it once', async () => {
    const from = { source: 'hn', medium: 'social', campaign: 'launch' }
    for (let i = 0; i < 2; i += 1) await store.list.add('visitor@example.com', { source: from })
    await store.list.add('nobody-knows@example.com')
    await sourceOf('visitor@example.com').toEqual(from)
    expect(await sourceKept(store, 'nobody-knows@example.com')).toBeUndefined()
    expect(new Set((await store.visits.signUpNames(LONG_AGO)).all)).toEqual(
      new Set([
        ...[source('hn', 1), { kind: 'medium', name: 'social', number: 1 }],
        { kind: 'campaign', name: 'launch', number: 1 },
      ]),
    )
    expect((await store.visits.signUpNames(new Date(Date.now() + 60_000))).all).toEqual([])
  })

  it('keeps the source of an owner whose address a robot typed first, as of when it was', async () => {
    const [owner, robot] = ['owner@example.com', { suspicion: 'program' }]
    for (let i = 0; i < 2; i += 1)
      await store.list.add(owner, { ...robot, source: { source: 'robot' } })
    const listedAt = (await store.list.find(owner))?.subscribedAt.getTime() ?? 0
    await expect.poll(() => Date.now()).toBeGreaterThan(listedAt + 1)
    await store.list.add(owner, { source: { source: 'hn' } })
    await sourceOf(owner).toEqual({ source: 'hn' })
    expect((await store.visits.signUpNames(new Date(listedAt))).all).toEqual([source('hn', 1)])
    expect((await store.visits.signUpNames(new Date(listedAt + 1))).all).toEqual([])
    const [since, today] = [new Date(listedAt), new Date(listedAt + 1)]
    const both = await store.visits.signUpNames(since, today)
    expect(both).toEqual({ all: [source('hn', 1)], today: [] })
    await store.list.add(owner, { source: { source: 'x' } })
    await store.list.add('last@example.com', { source: { source: 'y' } })
    await sourceOf('last@example.com').toEqual({ source: 'y' })
    expect(await sourceKept(store, owner)).toEqual({ source: 'hn' })
  })

  it('takes over sources, but for who has one or was forgotten', async () => {
    await store.list.add('tagged@example.com', { source: { source: 'hn' } })
    await sourceOf('tagged@example.com').toEqual({ source: 'hn' })
    await store.standings.forget('gone@example.com')
    const imported = ['tagged', 'gone', 'new'].map((name) => ({
      email: `${name}@example.com`,
      subscribedAt: hourAt(9),
      source: { source: 'copy', medium: 'paper' },
    }))
    for (let i = 0; i < 2; i += 1) await store.list.importAll(imported)
    expect(await sourceKept(store, 'tagged@example.com')).toEqual({ source: 'hn' })
    expect(await sourceKept(store, 'gone@example.com')).toBeUndefined()
    expect(await sourceKept(store, 'new@example.com')).toEqual({
      source: 'copy',
      medium: 'paper',
    })
  })
})
