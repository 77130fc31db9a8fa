import type { Subscriber } from '../shared/subscriber.ts'

/** Where subscribers live. */
export interface SubscriberStore {
  /**
   * Adds a subscriber; a known address changes nothing about it, costs the same and says the same.
   * Whoever was forgotten or had unsubscribed is welcome again.
   * Resolves only when the subscriber would survive a power failure.
   *
   * @param email as `parseEmail` returns it.
   * @throws StoreUnavailable when it cannot be kept; then it was not, and may be tried again.
   */
  add(email: string): Promise<void>

  /**
   * Adds subscribers from elsewhere, each with its own time; of two times the earlier is kept.
   * Brings back nobody who was forgotten and leaves the unsubscribed as they are. Idempotent.
   *
   * @param subscribers a few hundred at most; the same address may come more than once.
   * @returns what became of each, in their order. @throws StoreUnavailable
   */
  importAll(subscribers: readonly Subscriber[]): Promise<ImportOutcome[]>

  /** The subscriber with this address, if there is one. @throws StoreUnavailable */
  find(email: string): Promise<Subscriber | undefined>

  /** How many subscribers there are, those who unsubscribed included. @throws StoreUnavailable */
  count(range?: TimeRange): Promise<number>

  /**
   * Every subscriber in order of sign-up, once each, in memory that does not grow with their number.
   * Whoever is there from beginning to end is given, whatever is added or forgotten meanwhile.
   *
   * @throws StoreUnavailable
   */
  stream(range?: TimeRange): AsyncIterable<Subscriber>

  /** Resolves if a subscriber could be added now. @throws StoreUnavailable with the reason. */
  checkWritable(): Promise<void>

  /** Finishes what is under way and lets go of everything. */
  close(): Promise<void>
}

/** Those who signed up at or after `since` and before `until`; what is left out sets no limit. */
export interface TimeRange {
  readonly since?: Date
  readonly until?: Date
}

export type ImportOutcome = 'added' | 'known' | 'forgotten'

/** The store cannot be used now. Its message is for the log: a reason, never an address. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}
