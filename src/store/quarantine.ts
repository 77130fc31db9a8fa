/** The operator's actions on addresses with signs of a robot. */
export interface Quarantine {
  /**
   * Makes quarantined addresses subscribers, with the time of their sign-up. Those that are not
   * quarantined, or whose owner said that it was not them, stay as they are. Idempotent.
   *
   * @param emails a few hundred at most, as `parseEmail` returns them. @returns which were released.
   * @throws StoreUnavailable
   */
  release(emails: readonly string[]): Promise<string[]>

  /**
   * Erases, as `forgetAll` does, those that are quarantined or have yet to confirm a sign-up with
   * signs. Addresses that signed up without signs meanwhile stay, which is checked in the same
   * transaction. For subscribers who are not held, only the waiting sign-up is erased. Idempotent.
   *
   * @param emails as for `release`. @returns which were erased.
   * @throws StoreUnavailable when not all of them are surely erased.
   */
  erase(emails: readonly string[]): Promise<string[]>
}
