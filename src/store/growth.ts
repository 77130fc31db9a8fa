import type { ListedSubscriber, Origin, StandingCounts } from './subscriber-list.ts'

/** Live figures, stored or gathered so that looking again costs little. */
export interface GrowthCounts {
  /**
   * How the list grows.
   *
   * @param since of the quarters that are counted one by one. @throws StoreUnavailable
   */
  since(since: Date): Promise<Growth>

  /** Those who may be written to and came before a time: how many, and when the first did. */
  before(time: Date): Promise<{ readonly people: number; readonly since: Date | undefined }>

  /** The latest sign-ups, newest first, robots included. @throws StoreUnavailable */
  newest(limit: number): Promise<(ListedSubscriber & Origin)[]>

  /**
   * Calls back soon after every write to the store. Never throws: the next read reports an outage.
   *
   * @returns what ends it.
   */
  watch(onChange: () => void): () => void
}

export interface Growth {
  readonly standings: StandingCounts
  /** How many of them came by an import alone; without the quarantined and the forgotten. */
  readonly imported: number
  /** The sign-ups at the page of each quarter that had any, in order; without the quarantined. */
  readonly quarters: readonly QuarterOfSignUps[]
  /** How many confirmed the sign-up at the page; those who were on the list before stand apart. */
  readonly confirmed: number
  readonly confirmedLater: number
  /** How many were sent the letter, and have yet to answer. */
  readonly toConfirm: number
}

export interface QuarterOfSignUps {
  /** When the quarter began, in milliseconds since 1970. */
  readonly at: number
  readonly number: number
}
