import type { Extra } from '../people/extra-fields.ts'
import { type Departure, mayBeWrittenTo, type Standing, standings } from '../people/standing.ts'
import type { Source } from '../shared/source.ts'
import type { Subscriber } from '../shared/subscriber.ts'

/** Those who signed up at or after `since` and before `until`; each is optional. */
export interface TimeRange {
  readonly since?: Date
  readonly until?: Date
}

export interface Selection extends TimeRange {
  /** By default, those who may be mailed. */
  readonly standing?: Standing | 'all'
}

/** A subscriber with all data, which `importAll` takes back. */
export interface ListedSubscriber extends Subscriber {
  readonly standing: Standing
  /** Since when, unless they are `subscribed`. */
  readonly standingAt?: Date | undefined
  readonly detail?: string | undefined
  readonly extra?: Extra | undefined
  /** The first one, if a link or a file named it. */
  readonly source?: Source | undefined
}

/** Where somebody is from. */
export interface Origin {
  /** Set for those who came by an import, and never signed up at the page. */
  readonly isImported?: true
}

/** Their `standingAt` is now by default. */
export interface ImportedSubscriber extends Omit<ListedSubscriber, 'standing'> {
  /** A file does not quarantine people who are on the list already. */
  readonly standing?: ImportedStanding | 'subscribed' | undefined
}

/** The standings that a file may give an address. */
export type ImportedStanding = Departure | 'quarantined'

export type StandingCounts = Readonly<Record<Standing, number>>

export type ImportOutcome = 'added' | 'known' | 'forgotten'

export interface HeardDeparture {
  /** As `parseEmail` returns it. */
  readonly email: string
  readonly standing: Departure
  /** By default now. */
  readonly at?: Date | undefined
  readonly detail?: string | undefined
}

export interface Forgotten {
  readonly wasSubscriber: boolean
  /** Whether it had yet to confirm. */
  readonly wasAsked: boolean
  /** How many deliveries lost their address. */
  readonly deliveries: number
}

export interface Growth {
  readonly standings: StandingCounts
  /** How many of them came by an import alone; without the quarantined and the forgotten. */
  readonly imported: number
  /** The sign-ups at the page of each quarter that had any, in order; without the quarantined. */
  readonly quarters: readonly QuarterOfSignUps[]
  /** How many confirmed the sign-up at the page. */
  readonly confirmed: number
  /** How many were sent the letter, and have yet to answer. */
  readonly toConfirm: number
}

export interface QuarterOfSignUps {
  /** When the quarter began, in milliseconds since 1970. */
  readonly at: number
  readonly number: number
}

export function isSelected(standing: Standing, { standing: wanted }: Selection): boolean {
  if (wanted === undefined) return mayBeWrittenTo(standing)
  return wanted === 'all' || wanted === standing
}

export function noneOfEach(): Record<Standing, number> {
  return Object.fromEntries(standings.map((standing) => [standing, 0])) as Record<Standing, number>
}

/** When an imported subscriber left, which is never before the sign-up. */
export function leftAt({ subscribedAt, standingAt }: ImportedSubscriber, now: Date): Date {
  const at = standingAt ?? now
  return at > subscribedAt ? at : subscribedAt
}
