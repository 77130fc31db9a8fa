import type { Announcement, DeliveryStatus, SuppressionReason } from './delivery-ledger.ts'
import type { Extra } from './extra.ts'
import type { Invitation } from './invitations.ts'
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
   * What was known of addresses, whether they are on the list or not: what outranks it stays.
   *
   * @param known a few hundred at most. @throws StoreUnavailable
   */
  known(known: readonly KnownEntry[]): Promise<void>

  /**
   * Rows of an announcement that is not there yet: nobody sees them before `announcement`.
   * A row of an address that is forgotten here is stored as `forgotten`, with a random id.
   *
   * @param rows a few hundred at most. @throws StoreUnavailable
   */
  deliveries(id: string, rows: readonly DeliveryRow[]): Promise<void>

  /** @throws StoreUnavailable */
  announcement(announcement: Announcement): Promise<void>

  /** Who is pending in a copy; what is known here stays. @throws StoreUnavailable */
  pending(pending: readonly Pending[]): Promise<void>

  /**
   * The hours of a copy that nothing is known of here.
   *
   * @param hours a hundred at most, each once. @throws StoreUnavailable
   */
  visits(hours: readonly CountedHour[]): Promise<void>

  /**
   * The sources of a copy or a file; what is known here stays, and who was forgotten has none.
   *
   * @param sources a few hundred at most. @throws StoreUnavailable
   */
  sources(sources: readonly KeptSource[]): Promise<void>

  /**
   * The opening of a copy, unless one was ever set here, or undone.
   *
   * @returns whether it was taken over. @throws StoreUnavailable
   */
  opening(opening: Opening): Promise<boolean>

  /**
   * Those of a copy, but for addresses that are forgotten. An end outranks none, and the first of two
   * stays.
   *
   * @param publicKey is taken where none is set. @param restored a few hundred at most. @throws StoreUnavailable
   */
  invitations(restored: readonly Invitation[], publicKey?: string): Promise<void>
}

/** A part of a store that takes over what a copy has of it. */
export interface Restorable<Of extends keyof RestoreTarget> {
  readonly restore: RestoreTarget[Of]
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
  readonly language?: string | undefined
}
