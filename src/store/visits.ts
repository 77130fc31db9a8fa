import { commonest } from '../shared/commonest.ts'
import type { Source } from '../shared/source.ts'

/** `first` and `return` are people; a `robot` is none, and a `prefetch` is not seen yet. */
export const visitKinds = ['first', 'return', 'robot', 'prefetch'] as const

export type VisitKind = (typeof visitKinds)[number]

/**
 * The kind of a name: `source`, `medium` and `campaign` as the link says, or the `host` that links
 * here without naming a source.
 */
export const nameKinds = ['source', 'host', 'medium', 'campaign'] as const

export type NameKind = (typeof nameKinds)[number]

export interface NameCount {
  readonly kind: NameKind
  /** `null` for all names that are too rare to be kept. */
  readonly name: string | null
  readonly number: number
}

export type VisitCounts = Readonly<Record<VisitKind, number>>

/** An hour's visits: only numbers, nothing about single people. */
export interface HourOfVisits {
  /** When the hour began. */
  readonly hour: Date
  readonly counts: VisitCounts
}

export interface CountedHour extends HourOfVisits {
  /** Of first visits. */
  readonly names: readonly NameCount[]
}

/** How many names are kept; the rarer ones are counted together, by their kind. */
export const MOST_NAMES = 1000

/** Counts by name are kept by the hour for this many days, and then by the day, in UTC. */
export const DAYS_BY_HOUR = 35

/** Older counts by name, in days, are dropped. */
export const MOST_DAYS = 400

export const HOUR_MS = 3_600_000

export function noVisits(): Record<VisitKind, number> {
  return { first: 0, return: 0, robot: 0, prefetch: 0 }
}

/** The names of a visit: one of each kind that the link names; a host counts as a source. */
export function namesOf({ source, medium, campaign }: Source, host?: string): [NameKind, string][] {
  const names: [NameKind, string | undefined][] = [
    ['source', source],
    ['host', source === undefined ? host : undefined],
    ['medium', medium],
    ['campaign', campaign],
  ]
  return names.filter((one): one is [NameKind, string] => one[1] !== undefined)
}

export type NameCounter = ReturnType<typeof nameCounter>

/** Counts names in bounded memory. @param most how many are kept. */
export function nameCounter(most = MOST_NAMES) {
  const rare = new Map<NameKind, number>()
  const addRare = (kind: NameKind, number: number) => rare.set(kind, (rare.get(kind) ?? 0) + number)
  const named = commonest(most, (key, number) => addRare(kindIn(key), number))
  return {
    add({ kind, name, number }: NameCount) {
      if (name === null) addRare(kind, number)
      else named.add(`${kind} ${name}`, number)
    },
    /** The commonest first; counts without names last. */
    counts: (): NameCount[] => [
      ...named.names().map(([key, number]) => {
        const kind = kindIn(key)
        return { kind, name: key.slice(kind.length + 1), number }
      }),
      ...[...rare].map(([kind, number]) => ({ kind, name: null, number })),
    ],
  }
}

const kindIn = (key: string) => key.slice(0, key.indexOf(' ')) as NameKind
