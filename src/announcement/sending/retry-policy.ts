/** How long things are waited for, in milliseconds, and how often they are tried. */
export interface RetryPolicy {
  /** Before a recipient that was deferred is tried again; doubles each time, up to `maxBackOff`. */
  readonly backOff: number
  readonly maxBackOff: number
  /** A recipient that is still deferred then has failed. */
  readonly tries: number
  /** After a failed connection or many deferrals; doubles while it goes on, up to `maxPause`. */
  readonly pause: number
  readonly maxPause: number
  /** Failed connections in a row that end a run: a dead relay must not make a list uncertain. */
  readonly failedConnections: number
  /** Deferrals in a row that end a run: the server wants none of it now. */
  readonly deferrals: number
  /** How often the ledger is asked whether something is due again. */
  readonly poll: number
  /** How long a database that cannot be used is waited for. */
  readonly store: number
}

export const defaultRetryPolicy: RetryPolicy = {
  backOff: 60_000,
  maxBackOff: 900_000,
  tries: 6,
  pause: 1_000,
  maxPause: 60_000,
  failedConnections: 5,
  deferrals: 20,
  poll: 1_000,
  store: 120_000,
}

/** @param times how often it happened before this wait, from 1. */
export function exponentialBackOff(first: number, most: number, times: number): number {
  return Math.min(most, first * 2 ** (times - 1))
}
