import type { Subscriber } from '../shared/subscriber.ts'
import type { Extra } from './extra.ts'
import { type Departure, mayBeWrittenTo, type Standing, standings } from './standing.ts'

/** The subscribers as a whole: what an operator looks at, takes out and brings in. */
export interface SubscriberList {
  /**
   * The subscribers in order of sign-up, once each, in memory that does not grow with their number.
   * Whoever is there from beginning to end is given, whoever is added or forgotten meanwhile.
   * A store that is paid by the read may have to read all of it, here and in the counts.
   *
   * @throws StoreUnavailable
   */
  stream(selection?: Selection): AsyncIterable<ListedSubscriber>

  /** How many `stream` would give. @throws StoreUnavailable */
  countIn(selection: Selection): Promise<number>

  /** How many subscribers of a range there are of each standing. @throws StoreUnavailable */
  countByStanding(range?: TimeRange): Promise<StandingCounts>

  /**
   * What an operator looks at daily, for as little as the store can ask. Where that is paid by the
   * read, it keeps a summary, which it writes: whoever may only read pays more.
   *
   * @param onSignUp is told of everybody who signed up since then, in no order.
   * @throws StoreUnavailable
   */
  overview(since: Date, onSignUp: (one: SignUpSeen) => void): Promise<Overview>

  /**
   * Adds subscribers from elsewhere, each with its own time; of two times the earlier is kept.
   * Brings back nobody who was forgotten, lifts no standing, and takes over the standing of whoever
   * left elsewhere, as `standings.set` does. Idempotent.
   *
   * @param subscribers a few hundred at most; the same address may come more than once.
   * @returns what became of each, in their order. @throws StoreUnavailable
   */
  importAll(subscribers: readonly ImportedSubscriber[]): Promise<ImportOutcome[]>
}

/** Those who signed up at or after `since` and before `until`; what is left out sets no limit. */
export interface TimeRange {
  readonly since?: Date
  readonly until?: Date
}

export interface Selection extends TimeRange {
  /** Left out, those who may be written to. */
  readonly standing?: Standing | 'all'
}

/** A subscriber with all that is known of it: what `importAll` takes back. */
export interface ListedSubscriber extends Subscriber {
  readonly standing: Standing
  /** Since when, unless they are `subscribed`. */
  readonly standingAt?: Date | undefined
  readonly detail?: string | undefined
  readonly extra?: Extra | undefined
}

export interface ImportedSubscriber extends Subscriber {
  /** Whoever is on the list already is not quarantined by a file. */
  readonly standing?: ImportedStanding | 'subscribed' | undefined
  /** Now, where it is not given. */
  readonly standingAt?: Date | undefined
  readonly detail?: string | undefined
  readonly extra?: Extra | undefined
}

/** Somebody who signed up, and how they stand. */
export interface SignUpSeen extends Subscriber {
  readonly standing: Standing
}

/** How a file may say that an address stands. */
export type ImportedStanding = Departure | 'quarantined'

export interface Overview {
  readonly standings: StandingCounts
  /** How many records these subscribers have, in a store that keeps each sign-up by itself. */
  readonly records?: number
}

export type StandingCounts = Readonly<Record<Standing, number>>

export type ImportOutcome = 'added' | 'known' | 'forgotten'

export function isSelected(standing: Standing, { standing: wanted }: Selection): boolean {
  if (wanted === undefined) return mayBeWrittenTo(standing)
  return wanted === 'all' || wanted === standing
}

export function noneOfEach(): Record<Standing, number> {
  return Object.fromEntries(standings.map((standing) => [standing, 0])) as Record<Standing, number>
}

/** When an imported subscriber left: never before the sign-up. */
export function leftAt({ subscribedAt, standingAt }: ImportedSubscriber, now: Date): Date {
  const at = standingAt ?? now
  return at > subscribedAt ? at : subscribedAt
}
