import type { Announcement, DeliveryStatus } from './delivery-ledger.ts'
import type { Suppression } from './suppression-list.ts'

/**
 * What a copy can be brought back into. It takes over what it does not know and changes nothing
 * that it knows, so everything here is idempotent.
 */
export interface RestoreTarget {
  /** @param entries a few hundred at most. @throws StoreUnavailable */
  restoreSuppressions(entries: readonly SuppressionEntry[]): Promise<void>

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

export interface SuppressionEntry extends Suppression {
  readonly addressId: string
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
}
