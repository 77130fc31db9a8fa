import type { Announcement, DeliveryStatus, SuppressionReason } from './delivery-ledger.ts'
import type { Extra } from './extra.ts'
import type { Opening } from './opening.ts'
import type { Pending } from './pending.ts'
import type { StandingEntry } from './standing.ts'
import type { CountedHour, KeptSource } from './visits.ts'

/**
 * A store into which a copy can be restored. It adds what is missing and changes little else.
 * Everything here is idempotent.
 */
export interface RestoreTarget {
  /**
   * Restores the data of addresses, on the list or not; standings that outrank a restored one stay.
   *
   * @param known a few hundred at most. @throws StoreUnavailable
   */
  known(known: readonly KnownEntry[]): Promise<void>

  /**
   * Restores the rows of an announcement before the announcement itself, so they are not visible
   * yet. A row of an address that is forgotten here is stored as `forgotten`, with a random id.
   *
   * @param rows a few hundred at most. @throws StoreUnavailable
   */
  deliveries(id: string, rows: readonly DeliveryRow[]): Promise<void>

  /** @throws StoreUnavailable */
  announcement(announcement: Announcement): Promise<void>

  /** Restores pending requests; known ones stay. @throws StoreUnavailable */
  pending(pending: readonly Pending[]): Promise<void>

  /**
   * Restores the visits of hours without visits here.
   *
   * @param hours a hundred at most, each once. @throws StoreUnavailable
   */
  visits(hours: readonly CountedHour[]): Promise<void>

  /**
   * Restores the sources of a copy or a file; known ones stay, and forgotten addresses get none.
   *
   * @param sources a few hundred at most. @throws StoreUnavailable
   */
  sources(sources: readonly KeptSource[]): Promise<void>

  /**
   * Restores the opening, unless one was ever set here, or undone.
   *
   * @returns whether it was restored. @throws StoreUnavailable
   */
  opening(opening: Opening): Promise<boolean>
}

/** A part of a store that can be restored. */
export interface Restorable<Of extends keyof RestoreTarget> {
  readonly restore: RestoreTarget[Of]
}

export interface KnownEntry {
  readonly addressId: string
  readonly standing?: StandingEntry | undefined
  /** Whether a file from elsewhere quarantined it. */
  readonly isImported?: boolean | undefined
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
  readonly language?: string | undefined
}
