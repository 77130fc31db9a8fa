/** How long things are waited for, in milliseconds, and how often they are tried. */
export interface Patience {
  /** Before a recipient that was deferred is tried again; doubles each time, up to `mostBackOff`. */
  readonly backOff: number
  readonly mostBackOff: number
  /** A recipient that is still deferred then has failed. */
  readonly tries: number
  /** After a failed connection or many deferrals; doubles while it goes on, up to `mostPause`. */
  readonly pause: number
  readonly mostPause: number
  /** Failed connections in a row that end a run: a dead relay must not make a list uncertain. */
  readonly failedConnections: number
  /** Deferrals in a row that end a run: the server wants none of it now. */
  readonly deferrals: number
  /** How often the ledger is asked whether something is due again. */
  readonly poll: number
  /** How long a database that cannot be used is waited for. */
  readonly store: number
}

export const patient: Patience = {
  backOff: 60_000,
  mostBackOff: 900_000,
  tries: 6,
  pause: 1_000,
  mostPause: 60_000,
  failedConnections: 5,
  deferrals: 20,
  poll: 1_000,
  store: 120_000,
}

/** @param times how often it happened before this wait, from 1. */
export function doubling(first: number, most: number, times: number): number {
  return Math.min(most, first * 2 ** (times - 1))
}
