import type { Subscriber } from '../shared/subscriber.ts'

/** Where subscribers are added: what the server needs. */
export interface SubscriberStore {
  /**
   * Adds a subscriber; a known address changes nothing about it, costs the same and says the same.
   * Whoever was forgotten or had unsubscribed is welcome again. The address of a check of the site
   * is nobody's: nothing comes of it, here or in an import.
   * Resolves only when the subscriber would survive a power failure.
   *
   * @param email as `parseEmail` returns it.
   * @throws StoreUnavailable when that cannot be promised; it may be tried again. On a disk that
   *   wrote but failed to sync, it can turn out to have been kept all the same.
   */
  add(email: string): Promise<void>

  /** The subscriber with this address, if there is one. @throws StoreUnavailable */
  find(email: string): Promise<Subscriber | undefined>

  /** How many subscribers there are, those who unsubscribed included. @throws StoreUnavailable */
  count(): Promise<number>

  /** Resolves if a subscriber could be added now. @throws StoreUnavailable with the reason. */
  checkWritable(): Promise<void>

  /** Finishes what is under way and lets go of everything. */
  close(): Promise<void>
}

/** The store cannot be used now. Its message is for the log: a reason, never an address. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}
