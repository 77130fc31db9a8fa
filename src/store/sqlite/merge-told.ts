import type { DeliveryStatus } from '../delivery-ledger.ts'
import { announcementIn, type CopiedDelivery, copiedDeliveries, deliveryIn } from './copied-rows.ts'
import { countAgain } from './delivery-rows.ts'
import type { Merging } from './merge-people.ts'
import type { Persons } from './persons.ts'

export function mergeAnnouncements({ persons, now, merged }: Merging): void {
  const { sql } = persons
  for (const row of sql('SELECT id, subject, digest, begunAt FROM copy.announcements').all()) {
    const announcement = announcementIn(row, now)
    if (!announcement) {
      merged.refused += 1
      continue
    }
    const { id, subject, digest, begunAt } = announcement
    const isNew =
      sql(`
        INSERT OR IGNORE INTO announcements (id, subject, digest, begunAt, upTo, eligible)
        VALUES (?, ?, ?, ?, 0, 0)`).run(id, subject, digest, begunAt.toISOString()).changes > 0
    if (isNew) merged.announcements += 1
    let isMore = isNew
    for (const row of sql(copiedDeliveries).iterate(id)) {
      const delivery = deliveryIn(row, now)
      if (!delivery) merged.refused += 1
      else if (mergeDelivery(persons, id, delivery, isNew)) {
        isMore = true
        if (delivery.isOpen) merged.stillToTell += 1
      }
    }
    if (isMore) countAgain(sql, id)
  }
}

/** The number here of a row of the copy that leads to nobody: another for each, and the same each time. */
const nobodys = (number: number): number => (number < 0 ? 2 * number : -2 * number - 1)

/**
 * Of somebody who is not on the list here it is kept that there was one; in an announcement that is known
 * here, that is known too. @returns whether anything has changed.
 */
function mergeDelivery(
  persons: Persons,
  id: string,
  theirs: CopiedDelivery,
  isNew: boolean,
): boolean {
  const { addressId, tries, changedAt } = theirs
  const { sql } = persons
  const number = addressId === undefined ? undefined : persons.get(addressId)?.number
  const isGone = number === undefined
  if (isGone && !isNew) return false
  const status = isGone ? 'forgotten' : theirs.status
  const standing = status === 'suppressed' ? (theirs.standing ?? 'unsubscribed') : null
  const key = [id, number ?? nobodys(theirs.number)] as const
  const ours = sql(`
    SELECT status FROM deliveries WHERE announcement = ? AND number = ?`).get(...key)
  if (ours && told(status) <= told(ours.status as DeliveryStatus)) return false
  sql(`
    INSERT INTO deliveries
      (announcement, number, status, tries, turn, changedAt, answer, standing, language)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET status = excluded.status, tries = excluded.tries,
      turn = excluded.turn, changedAt = excluded.changedAt, answer = excluded.answer,
      standing = excluded.standing, language = excluded.language, owner = NULL`).run(
    ...[...key, status, tries, changedAt.getTime(), changedAt.toISOString()],
    ...[isGone ? null : (theirs.answer ?? null), standing],
    isGone ? null : (theirs.language ?? null),
  )
  return true
}

/** Told beats what may have been told, and that beats untold. */
const told = (status: DeliveryStatus): number =>
  status === 'sent' ? 2 : status === 'uncertain' || status === 'sending' ? 1 : 0
