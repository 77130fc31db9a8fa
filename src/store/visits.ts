import { commonest } from '../shared/commonest.ts'
import type { Source } from '../shared/source.ts'

/** `first` and `return` are people; a robot and a prefetch are seen by nobody, or not yet. */
export const visitKinds = ['first', 'return', 'robot', 'prefetch'] as const

export type VisitKind = (typeof visitKinds)[number]

/**
 * What a name is of: `source`, `medium` and `campaign` as the link says, `host` of a link elsewhere
 * that names no source.
 */
export const nameKinds = ['source', 'host', 'medium', 'campaign'] as const

export type NameKind = (typeof nameKinds)[number]

export interface NameCount {
  readonly kind: NameKind
  /** `null` for all that are too rare to be kept by name. */
  readonly name: string | null
  readonly number: number
}

export type VisitCounts = Readonly<Record<VisitKind, number>>

/** An hour's visits. What is not in it of a person is in nobody's: there are only numbers. */
export interface HourOfVisits {
  /** When the hour began. */
  readonly hour: Date
  readonly counts: VisitCounts
}

export interface CountedHour extends HourOfVisits {
  /** Of first visits. */
  readonly names: readonly NameCount[]
}

/** So many names are kept; the rarer ones are counted together, by their kind. */
export const MOST_NAMES = 1000

/** Counts by name are kept by the hour for so many days, and then by the day, in UTC. */
export const DAYS_BY_HOUR = 35

/** Counts by name that are older, in days, are not kept. */
export const MOST_DAYS = 400

/** Counts of visits, and the source of each subscriber that has one. */
export interface Visits {
  /** How often `add` is worth its price, in milliseconds. */
  readonly countEveryMs: number

  /**
   * Adds to what is kept, whole or not at all. May be lost by a power failure a moment later, and
   * never waits for a lock: whoever calls has it still, and tries again. @throws StoreUnavailable
   */
  add(hours: readonly CountedHour[]): Promise<void>

  /** The hours that begin then or later and had visits, in order. @throws StoreUnavailable */
  since(since: Date): Promise<HourOfVisits[]>

  /**
   * The names of these hours' first visits, the commonest first. Of a time that is longer ago than
   * `DAYS_BY_HOUR` a store may tell only whole days, and of one before `MOST_DAYS` nothing.
   *
   * @throws StoreUnavailable
   */
  names(since: Date): Promise<NameCount[]>

  /**
   * The names of who signed up since then and is not forgotten, the commonest first.
   *
   * @throws StoreUnavailable
   */
  signUpNames(since: Date): Promise<NameCount[]>

  /** Where an address was left first, if a link said so. @throws StoreUnavailable */
  sourceOf(email: string): Promise<Source | undefined>

  /**
   * The same of several, in their order.
   *
   * @param emails a few hundred at most. @throws StoreUnavailable
   */
  sourcesOf(emails: readonly string[]): Promise<(Source | undefined)[]>
}

export interface KeptSource {
  readonly addressId: string
  /** When the address was left. */
  readonly at: Date
  readonly source: Source
}

export const HOUR_MS = 3_600_000

export function noVisits(): Record<VisitKind, number> {
  return { first: 0, return: 0, robot: 0, prefetch: 0 }
}

/** Whoever came along a link has one name of each kind that it says; a host counts for a source. */
export function namesOf({ source, medium, campaign }: Source, host?: string): [NameKind, string][] {
  const names: [NameKind, string | undefined][] = [
    ['source', source],
    ['host', source === undefined ? host : undefined],
    ['medium', medium],
    ['campaign', campaign],
  ]
  return names.filter((one): one is [NameKind, string] => one[1] !== undefined)
}

export interface NameCounter {
  add(count: NameCount): void
  /** The commonest first; those that are counted without their names stand last. */
  counts(): NameCount[]
}

/** Counts names in memory that does not grow with their number. @param most how many are kept. */
export function nameCounter(most = MOST_NAMES): NameCounter {
  const rare = new Map<NameKind, number>()
  const addRare = (kind: NameKind, number: number) => rare.set(kind, (rare.get(kind) ?? 0) + number)
  const named = commonest(most, (key, number) => addRare(kindIn(key), number))
  return {
    add({ kind, name, number }) {
      if (name === null) addRare(kind, number)
      else named.add(`${kind} ${name}`, number)
    },
    counts: () => [
      ...named.names().map(([key, number]) => {
        const kind = kindIn(key)
        return { kind, name: key.slice(kind.length + 1), number }
      }),
      ...[...rare].map(([kind, number]) => ({ kind, name: null, number })),
    ],
  }
}

const kindIn = (key: string) => key.slice(0, key.indexOf(' ')) as NameKind
