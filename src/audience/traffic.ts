import { shareOf } from '../shared/conversion.ts'
import type { Visits } from '../store/store.ts'
import {
  type HourOfVisits,
  type NameCount,
  type NameKind,
  noVisits,
  type VisitCounts,
  visitKinds,
} from '../store/visits.ts'

/** A source with its visits and sign-ups. */
export interface SourceRow {
  readonly kind: NameKind
  /** `null` for all names that are too rare to be kept. */
  readonly name: string | null
  /** First visits. */
  readonly visits: number
  /** `null` for a host: a sign-up holds the page's own URL, and not the link that led to it. */
  readonly signUps: number | null
  readonly visitsToday: number
  readonly signUpsToday: number | null
}

export interface Traffic {
  readonly today: VisitCounts
  /** In all of these days. */
  readonly whole: VisitCounts
  /** By day, in order. */
  readonly days: readonly VisitCounts[]
  /** The commonest first. */
  readonly sources: readonly SourceRow[]
}

/**
 * Visits and sources of some days, of which the last is today.
 *
 * @param starts when each day begins, in order; at least one.
 * @throws StoreUnavailable
 */
export async function trafficOf(store: Visits, starts: readonly Date[]): Promise<Traffic> {
  const [since, today] = [starts[0] as Date, starts.at(-1) as Date]
  const hours = await store.since(since)
  const days = starts.map((start, i) => sumOf(hours, start, starts[i + 1]))
  const rows = new Map<string, Mutable<SourceRow>>()
  const fill = (counts: readonly NameCount[], field: Count) => {
    for (const { kind, name, number } of counts) {
      const key = JSON.stringify([kind, name])
      const row = rows.get(key) ?? emptyRow(kind, name)
      row[field] = number
      rows.set(key, row)
    }
  }
  const visits = await store.names(since, today)
  const signUps = await store.signUpNames(since, today)
  fill(visits.all, 'visits')
  fill(signUps.all, 'signUps')
  fill(visits.today, 'visitsToday')
  fill(signUps.today, 'signUpsToday')
  const sources = [...rows.values()].sort(
    (a, b) => b.visits - a.visits || (b.signUps ?? 0) - (a.signUps ?? 0),
  )
  return { today: days.at(-1) ?? noVisits(), whole: sumOf(hours, since), days, sources }
}

/**
 * Sign-ups to a hundred first visits, over the days on which visits were counted.
 *
 * @param signUps of each of these days. @returns `null` where that is no share: see `shareOf`.
 */
export function conversionOf(days: readonly VisitCounts[], signUps: readonly number[]) {
  const visits = days.reduce((sum, { first }) => sum + first, 0)
  return shareOf(countedSignUps(days, signUps), visits)
}

/** Sign-ups of the days on which visits were counted: an import brings those of months before. */
export function countedSignUps(days: readonly VisitCounts[], signUps: readonly number[]): number {
  return days.reduce((sum, { first }, i) => sum + (first > 0 ? (signUps[i] ?? 0) : 0), 0)
}

/** Where sign-ups came from, so that their numbers add up to all: `rest` is too rare to be kept by name, `none` is of unknown source. */
export interface SourceCounts extends Omit<SourceRow, 'kind' | 'name'> {
  readonly kind: NameKind | 'rest' | 'none'
  /** As a link says it: anybody may have written it. */
  readonly name: string
}

/** How many sources, and as many campaigns, have a row of their own. */
const MOST_SOURCES = 40

/** @param byDay sign-ups of each of these days. @returns the commonest first, then campaigns, the rest, and unknown ones. */
export function sourceCounts({ sources, whole, today, days }: Traffic, byDay: readonly number[]) {
  const rows = sources.map((row): SourceCounts => ({ ...row, name: row.name ?? '' }))
  const led = rows.filter(({ kind }) => kind === 'source' || kind === 'host')
  const named = led.filter(({ name }) => name !== '')
  const shown = named.slice(0, MOST_SOURCES)
  const others = led.filter((row) => !shown.includes(row))
  const campaigns = rows.filter(({ kind, name }) => kind === 'campaign' && name !== '')
  const [all, known] = [
    {
      visits: whole.first,
      signUps: countedSignUps(days, byDay),
      visitsToday: today.first,
      signUpsToday: countedSignUps(days.slice(-1), byDay.slice(-1)),
    },
    sumOfRows(led),
  ]
  // A sign-up may be counted with its source on a day whose visits are not.
  const left = (field: Count) => Math.max(0, all[field] - known[field])
  const none: SourceCounts = {
    ...{ kind: 'none', name: '' },
    ...{ visits: left('visits'), signUps: left('signUps') },
    ...{ visitsToday: left('visitsToday'), signUpsToday: left('signUpsToday') },
  }
  return [
    ...shown,
    ...campaigns.slice(0, MOST_SOURCES),
    ...(others.length > 0 ? [{ kind: 'rest', name: '', ...sumOfRows(others) } as const] : []),
    ...(none.visits + Number(none.signUps) > 0 ? [none] : []),
  ]
}

function sumOfRows(rows: readonly SourceCounts[]) {
  const sum = (field: Count) => rows.reduce((all, row) => all + (row[field] ?? 0), 0)
  return {
    ...{ visits: sum('visits'), signUps: sum('signUps') },
    ...{ visitsToday: sum('visitsToday'), signUpsToday: sum('signUpsToday') },
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type Count = 'visits' | 'visitsToday' | 'signUps' | 'signUpsToday'

function emptyRow(kind: NameKind, name: string | null): Mutable<SourceRow> {
  const none = kind === 'host' ? null : 0
  return { kind, name, visits: 0, signUps: none, visitsToday: 0, signUpsToday: none }
}

function sumOf(hours: readonly HourOfVisits[], from: Date, to?: Date): VisitCounts {
  const sum = noVisits()
  for (const { hour, counts } of hours)
    if (hour >= from && !(to && hour >= to))
      for (const kind of visitKinds) sum[kind] += counts[kind]
  return sum
}
