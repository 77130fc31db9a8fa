import type { Extra } from '../people/extra.ts'
import { type Departure, mayBeWrittenTo, type Standing, standings } from '../people/standing.ts'
import type { Source } from '../shared/source.ts'
import type { Subscriber } from '../shared/subscriber.ts'

/** The subscribers as a whole: the operator reads, exports and imports them. */
export interface SubscriberList {
  /**
   * The subscribers as they came on the list, once each, in constant memory. Every subscriber who is
   * there from beginning to end is given, even if others are added or forgotten meanwhile.
   *
   * @throws StoreUnavailable
   */
  stream(selection?: Selection): AsyncIterable<ListedSubscriber>

  /** Addresses that may be written to, and were left at the page since then. @throws StoreUnavailable */
  signedUpSince(time: Date): AsyncIterable<string>

  /**
   * Adds subscribers from elsewhere, each with its own time; of two times the earlier is kept. The
   * page's own figures stay as they are: the imported belong to none of its days. Forgotten addresses
   * do not come back, no standing is lifted, and departures from elsewhere are set as `standings.set`
   * does. Idempotent.
   *
   * @param subscribers a few hundred at most; the same address may come more than once.
   * @returns the outcome of each, in their order. @throws StoreUnavailable
   */
  importAll(subscribers: readonly ImportedSubscriber[]): Promise<ImportOutcome[]>

  /**
   * Adds fields to people on the list; known ones stay.
   *
   * @param people a few hundred at most. @throws StoreUnavailable
   */
  addFields(
    people: readonly { readonly addressId: string; readonly fields: Extra }[],
  ): Promise<void>
}

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
}

/** Where somebody is from. */
export interface Origin {
  /** Set for those who came by an import, and never signed up at the page. */
  readonly isImported?: true
}

export interface ImportedSubscriber extends Subscriber {
  readonly source?: Source | undefined
  /** A file does not quarantine people who are on the list already. */
  readonly standing?: ImportedStanding | 'subscribed' | undefined
  /** By default now. */
  readonly standingAt?: Date | undefined
  readonly detail?: string | undefined
  readonly extra?: Extra | undefined
}

/** The standings that a file may give an address. */
export type ImportedStanding = Departure | 'quarantined'

export type StandingCounts = Readonly<Record<Standing, number>>

export type ImportOutcome = 'added' | 'known' | 'forgotten'

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
