import type { ListedSubscriber, StandingCounts } from './subscriber-list.ts'

/** Sign-ups are counted by the quarter of an hour: every time zone's day begins with one. */
export const QUARTER_MS = 900_000

/** What is shown while it happens: kept or gathered so that to look again costs little. */
export interface GrowthCounts {
  /**
   * How the list grows.
   *
   * @param since of the quarters that are told one by one. @throws StoreUnavailable
   */
  since(since: Date): Promise<Growth>

  /** Who signed up last, the newest first, robots included. @throws StoreUnavailable */
  newest(limit: number): Promise<ListedSubscriber[]>

  /**
   * Calls back after whatever somebody wrote, soon where that costs nothing, and otherwise every
   * `lookEveryMs`. Never throws: who looks then is told of an outage. @returns what ends it.
   */
  watch(onChange: () => void): () => void

  /** How late `watch` may be, in milliseconds. */
  readonly lookEveryMs: number
}

export interface Growth {
  readonly standings: StandingCounts
  /** How many records these subscribers have, in a store that keeps each sign-up by itself. */
  readonly records?: number
  /** Who signed up in each quarter that had any, in order; without those who are quarantined. */
  readonly quarters: readonly QuarterOfSignUps[]
  /** Who answered the letter that asks; left out where that is not kept count of. */
  readonly confirmed?: number
  /** Who was sent that letter, and has yet to answer. */
  readonly toConfirm?: number
}

export interface QuarterOfSignUps {
  /** When the quarter began, in milliseconds since 1970. */
  readonly at: number
  readonly number: number
}
