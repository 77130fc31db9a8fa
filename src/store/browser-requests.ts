import type { Asked } from './outbox.ts'

/**
 * Requests that visitors' browsers write into the store without a server of ours: an address was
 * left, and has to be confirmed. This alone puts nobody on the list, and sends no letter.
 */
export interface BrowserRequests {
  /**
   * Moves some of them into the outbox, each whole or not at all. Of several requests for one
   * address only the last is moved. Other servers may do the same at the same time.
   *
   * @param askedOf gives what to keep of the visitor who left this address, as `parseEmail` returns
   *   it. Called once for each request, even if its move fails and is tried again.
   * @returns whether there may be more. @throws StoreUnavailable
   */
  takeIn(askedOf: (email: string) => Asked): Promise<boolean>
}
