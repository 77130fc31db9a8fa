import type { Subscriber } from '../shared/subscriber.ts'

/** The subscribers as a whole: what an operator looks at, takes out and brings in. */
export interface SubscriberList {
  /**
   * Every subscriber in order of sign-up, once each, in memory that does not grow with their number.
   * Whoever is there from beginning to end is given, whoever is added or forgotten meanwhile.
   * A store that is paid by the read may have to read all of it, here and in `countIn` and `count`.
   *
   * @throws StoreUnavailable
   */
  stream(range?: TimeRange): AsyncIterable<Subscriber>

  /** How many `stream` would give. @throws StoreUnavailable */
  countIn(range: TimeRange): Promise<number>

  /**
   * Adds subscribers from elsewhere, each with its own time; of two times the earlier is kept.
   * Brings back nobody who was forgotten and leaves the unsubscribed as they are. Idempotent.
   *
   * @param subscribers a few hundred at most; the same address may come more than once.
   * @returns what became of each, in their order. @throws StoreUnavailable
   */
  importAll(subscribers: readonly Subscriber[]): Promise<ImportOutcome[]>
}

/** Those who signed up at or after `since` and before `until`; what is left out sets no limit. */
export interface TimeRange {
  readonly since?: Date
  readonly until?: Date
}

export type ImportOutcome = 'added' | 'known' | 'forgotten'
