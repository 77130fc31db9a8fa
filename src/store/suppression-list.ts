/**
 * Who must not be written to, kept as `addressId`s: it can tell that an address is on it, not which
 * addresses are. An entry holds until the address is added again by its owner's own sign-up.
 */
export interface SuppressionList {
  /**
   * No announcement reaches this address from now on, not even the rest of a running one.
   * A repeat renews its time; the id of nobody we know resolves alike.
   *
   * @param addressId as an unsubscribe link carries it. @throws StoreUnavailable
   */
  unsubscribe(addressId: string): Promise<void>

  /**
   * Erases the address everywhere in the store, so that its bytes are in none of the store's files:
   * the subscriber goes, its deliveries stay as `forgotten` rows that lead to nobody.
   *
   * @param email as `parseEmail` returns it; one that was never here is put on the list as well.
   * @throws StoreUnavailable
   */
  forget(email: string): Promise<Forgotten>

  /** The entry that is in force for an address. @throws StoreUnavailable */
  suppression(email: string): Promise<Suppression | undefined>
}

export interface Forgotten {
  readonly wasSubscriber: boolean
  /** How many deliveries lost their address. */
  readonly deliveries: number
}

export interface Suppression {
  readonly reason: 'unsubscribed' | 'forgotten'
  readonly at: Date
}
