import type { Asked } from './outbox.ts'

/**
 * What visitors' browsers write where no server of ours stands between: that somebody left an
 * address and has to confirm it. Nobody is on the list by that, and no letter leaves.
 */
export interface BrowserRequests {
  /**
   * Moves some of them into the outbox, each whole or not at all, and of those of one address that
   * it sees together only the last. Others may do the same at the same time.
   *
   * @param askedOf what is kept of whoever left this address, as `parseEmail` returns it. Called once
   *   for each request, though its move fails and is tried again.
   * @returns whether there may be more. @throws StoreUnavailable
   */
  takeIn(askedOf: (email: string) => Asked): Promise<boolean>
}
