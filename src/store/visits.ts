import { commonest } from '../shared/commonest.ts'
import type { Source } from '../shared/source.ts'
import { isCount, objectIn } from '../shared/stored-json.ts'

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

/** How many names of a day are kept; the rarer ones are counted together, by their kind. */
export const MOST_NAMES = 1000

/** As they are stored: those of all days come to 25 MB at the very most. */
const MOST_BYTES = 60_000

/** Names are counted by the day, in this process's time zone, and dropped after so many. */
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

/** Counts of the names of a day, as they are stored: the commonest, as far as there is space. */
export function namesText(names: readonly NameCount[]): string {
  const [all, kept] = [nameCounter(), nameCounter()]
  for (const one of names) all.add(one)
  let bytes = 0
  for (const one of all.counts()) {
    bytes += Buffer.byteLength(JSON.stringify(rowOf(one)))
    kept.add(bytes > MOST_BYTES ? { ...one, name: null } : one)
  }
  return JSON.stringify(kept.counts().map(rowOf))
}

const rowOf = ({ kind, name, number }: NameCount) => [kind, name, number]

/** The same as they are read: anybody may have written them. */
export function namesIn(stored: unknown): NameCount[] {
  return Object.values(objectIn(stored) ?? {}).flatMap((row) => {
    const [of, name, number] = Array.isArray(row) ? row : []
    const kind = nameKinds.find((one) => one === of)
    const isName = name === null || typeof name === 'string'
    return kind && isName && isCount(number) ? [{ kind, name, number }] : []
  })
}

/** When a day began. @param back so many days before that of the time. */
export function startOfDay(time: Date, back = 0): Date {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate() - back)
}
