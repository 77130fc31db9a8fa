import type { Announcement, DeliveryStatus, SuppressionReason } from './delivery-ledger.ts'
import type { Extra } from './extra.ts'
import type { StandingEntry } from './standing.ts'

/**
 * What a copy can be brought back into. It takes over what it does not know and changes little
 * that it knows, so everything here is idempotent.
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
   * Whoever is forgotten here gets a `forgotten` row that leads to nobody.
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
  /** Tells it from the other rows of its announcement, and says nothing. */
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
