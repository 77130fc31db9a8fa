import type { Departure, StandingEntry } from '../people/standing.ts'

export interface HeardDeparture {
  /** As `parseEmail` returns it. */
  readonly email: string
  readonly standing: Departure
  /** By default now. */
  readonly at?: Date | undefined
  readonly detail?: string | undefined
}

/**
 * The standings of addresses, by `addressId`: it can be found by an address, but does not reveal it.
 */
export interface Standings {
  /**
   * No announcement reaches this address from now on, not even the rest of a running one.
   * A repeat renews its time; an unknown id resolves in the same way.
   *
   * @param addressId as an unsubscribe link carries it. @throws StoreUnavailable
   */
  unsubscribe(addressId: string): Promise<void>

  /**
   * Keeps that somebody still wants to be told, since now. It lifts no standing, and nothing is kept
   * of an address that is not on the list, or got no letter. An unknown id resolves in the same way.
   *
   * @param addressId as a link of ours carries it. @throws StoreUnavailable
   */
  stayInterested(addressId: string): Promise<void>

  /**
   * Sets the departures of addresses, on the list or not. Idempotent.
   *
   * @param heard a few hundred at most. @returns for each, in order, whether it is in force now.
   * @throws StoreUnavailable
   */
  set(heard: readonly HeardDeparture[]): Promise<boolean[]>

  /**
   * Erases the address everywhere in the store, so that its bytes are in none of the store's files,
   * with all its data, except the mark that it was forgotten. Its deliveries stay as `forgotten`
   * rows without an address.
   *
   * @param email as `parseEmail` returns it; one that was never here is remembered as well.
   * @throws StoreUnavailable
   */
  forget(email: string): Promise<Forgotten>

  /**
   * Erases addresses as `forget` does, at little more than the cost of one.
   *
   * @param emails a few hundred at most. @throws StoreUnavailable when not all of them are surely
   * erased; erasing them again does no harm.
   */
  forgetAll(emails: readonly string[]): Promise<void>

  /**
   * Why an address is not mailed. @returns `undefined` for all others, on the list or not.
   * @throws StoreUnavailable
   */
  of(email: string): Promise<StandingEntry | undefined>
}

export interface Forgotten {
  readonly wasSubscriber: boolean
  /** Whether it had yet to confirm. */
  readonly wasAsked: boolean
  /** How many deliveries lost their address. */
  readonly deliveries: number
}
