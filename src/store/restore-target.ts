import type { Announcement, DeliveryStatus, SuppressionReason } from './delivery-ledger.ts'
import type { Extra } from './extra.ts'
import type { StandingEntry } from './standing.ts'

/**
 * A store into which a copy can be restored. It adds what is missing and changes little else.
 * Everything here is idempotent.
 */
export interface RestoreTarget {
  /**
   * What was known of addresses, whether they are on the list or not: what outranks it stays.
   *
   * @param known a few hundred at most. @throws StoreUnavailable
   */
  restoreKnown(known: readonly KnownEntry[]): Promise<void>

  /**
   * Rows of an announcement that is not there yet: nobody sees them before `restoreAnnouncement`.
   * A row of an address that is forgotten here is stored as `forgotten`, with a random id.
   *
   * @param rows a few hundred at most. @throws StoreUnavailable
   */
  restoreDeliveries(id: string, rows: readonly DeliveryRow[]): Promise<void>

  /** @throws StoreUnavailable */
  restoreAnnouncement(announcement: Announcement): Promise<void>
}

export interface KnownEntry {
  readonly addressId: string
  readonly standing?: StandingEntry | undefined
  readonly extra?: Extra | undefined
}

export interface DeliveryRow {
  /** Unique within the announcement; carries no information. */
  readonly rowId: string
  readonly addressId: string
  /** `undefined` once forgotten. */
  readonly email: string | undefined
  readonly status: Exclude<DeliveryStatus, 'queued' | 'sending'>
  readonly tries: number
  readonly dueAt: Date
  readonly changedAt: Date
  readonly answer: string | undefined
  /** Why it is `suppressed`. */
  readonly standing?: SuppressionReason | undefined
}
