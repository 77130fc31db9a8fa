import type { Person } from '../people/person.ts'
import type { Asked } from '../people/request.ts'
import type { Announcement, DeliveryStatus, SuppressionReason } from './delivery-ledger.ts'
import type { Opening } from './opening.ts'
import type { ImportOutcome } from './subscriber-list.ts'
import type { CountedHour } from './visits.ts'

/**
 * A store into which a copy can be restored. It adds what is missing and changes little else.
 * Everything here is idempotent.
 */
export interface RestoreTarget {
  /**
   * Puts what a copy knows of people together with what is known here. Other systems hear nothing of it.
   *
   * @param people a few hundred at most. @returns for each, in order, whether they are on the list by
   *   it; nothing of those whom the copy has not on its list. @throws StoreUnavailable
   */
  people(people: readonly CopiedPerson[]): Promise<(ImportOutcome | undefined)[]>

  /** Restores what was asked and not taken in, each with its own time. @throws StoreUnavailable */
  requests(asked: readonly CopiedRequest[]): Promise<void>

  /**
   * Restores the rows of an announcement before the announcement itself, so they are not visible
   * yet. A row of somebody who is not on the list here is stored as `forgotten`.
   *
   * @param rows a few hundred at most. @throws StoreUnavailable
   */
  deliveries(id: string, rows: readonly DeliveryRow[]): Promise<void>

  /**
   * Restores an announcement once its rows are there: to those who have one. A person without one is
   * new to it, since the list here may have other people. @throws StoreUnavailable
   */
  announcement(
    announcement: Pick<Announcement, 'id' | 'subject' | 'digest' | 'begunAt'>,
  ): Promise<void>

  /**
   * Restores the visits of hours without visits here.
   *
   * @param hours a hundred at most, each once. @throws StoreUnavailable
   */
  visits(hours: readonly CountedHour[]): Promise<void>

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

export interface CopiedPerson {
  readonly addressId: string
  readonly person: Person
}

export interface CopiedRequest extends Asked {
  readonly email: string
  readonly at: Date
}

export interface DeliveryRow {
  /** Of the copy, unique within the announcement. */
  readonly number: number
  /** `undefined` once forgotten. */
  readonly addressId: string | undefined
  readonly status: Exclude<DeliveryStatus, 'queued' | 'sending'>
  readonly tries: number
  readonly changedAt: Date
  readonly answer: string | undefined
  /** Why it is `suppressed`. */
  readonly standing?: SuppressionReason | undefined
  readonly language?: string | undefined
}
