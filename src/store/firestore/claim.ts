import { type DocumentReference, type DocumentSnapshot, Timestamp } from '@google-cloud/firestore'
import type { ClaimedDelivery, ClaimWanted, DeliveryResult } from '../delivery-ledger.ts'
import { firstNameIn } from '../first-name.ts'
import { languageIn } from '../known-fields.ts'
import type { FirestoreConnection } from './connection.ts'
import type { FirestoreEventNotes } from './event-notes.ts'
import { inForce, knownIn } from './known.ts'
import { mustHold } from './lock.ts'
import type { FirestorePaths } from './paths.ts'
import type { FirestoreRecords } from './records.ts'
import { changeBy, dueFields, type Row, rowOf, settledAs, toldBy } from './rows.ts'
import type { FirestoreStandings } from './standings.ts'
import { timeIn } from './stored-time.ts'

const MOST_AT_ONCE = 100

/**
 * The round trips: the due rows; then the lock, the standings and the ended rows; then the commit.
 * With forty rows, some eighty a second are claimed at 80 ms, and a kill leaves at most those
 * forty.
 */
export const claiming = { roundTrips: 3, ahead: 40 }

/** Takes due rows from the queue, and notes results, in one transaction. */
export function firestoreClaim(
  { transaction }: FirestoreConnection,
  paths: FirestorePaths,
  records: FirestoreRecords,
  { bind, entries }: FirestoreStandings,
  notes: FirestoreEventNotes,
) {
  /**
   * The rows of an attempt whose answer was lost. Its transaction may have been committed all the
   * same, so the next attempt of the same kind looks at these rows first.
   */
  const unanswered = new Map<string, DocumentReference[]>()

  /** @returns how many rows were looked at, and those that were taken. */
  async function claimSome(
    owner: string,
    id: string,
    { limit, which }: ClaimWanted,
    ended: readonly DeliveryResult[],
  ) {
    const field = dueFields[which]
    const ledger = paths.deliveries(id)
    const attempt = [owner, id, which].join('/')
    const most = Math.min(limit, MOST_AT_ONCE)
    await bind()
    const done = await transaction(async (work) => {
      const missed = unanswered.get(attempt)
      const due = ledger.where(field, '<=', Timestamp.now()).orderBy(field).limit(most)
      const rows: DocumentSnapshot[] = missed
        ? await work.getAll(...missed.slice(0, most))
        : (await work.get(due)).docs
      const wanted = rows.map(({ ref }) => ref)
      if (!missed && wanted.length > 0) unanswered.set(attempt, wanted)

      // Read in the transaction, so that no other run takes the lock before it ends.
      const [lock, ...others] = (await work.getAll(
        paths.runLock,
        ...wanted.map((row) => entries.doc(row.id)),
        ...ended.map(({ addressId }) => ledger.doc(addressId)),
      )) as [DocumentSnapshot, ...DocumentSnapshot[]]
      mustHold(lock, owner)
      const [listed, endedRows] = [others.slice(0, rows.length), others.slice(rows.length)]
      const out = await Promise.all(
        rows.map(async (row, i) => {
          const [known, email] = [knownIn(listed[i]), rowOf(row)?.email]
          // Most addresses have no entry, and need no look-up.
          if (email === undefined || !inForce(known, undefined)) return undefined
          return inForce(known, await records.last(email, work))?.standing
        }),
      )
      // The lost attempt may have claimed a row again, which voids the result of its earlier try.
      const isAnew = new Set(missed?.map((row) => row.id))
      const told = toldBy(ended, endedRows, owner).filter(({ addressId }) => !isAnew.has(addressId))
      const note = await notes.read(
        work,
        told.map(({ addressId }) => addressId),
      )
      for (const { addressId, email } of told) note(addressId, email, ['told'])
      for (const [i, result] of ended.entries()) {
        const document = endedRows[i]
        if (!document || isAnew.has(document.id)) continue
        const change = changeBy(result, rowOf(document), owner)
        if (change) work.update(document.ref, change)
      }
      const claimed = rows.flatMap((document, i) => {
        const row = rowOf(document)
        if (row?.email === undefined) return []
        // The lost attempt was committed: the row is claimed already.
        const isOurs = row.status === 'sending' && row.owner === owner
        if (row[field] === undefined && !isOurs) return []
        const standing = out[i]
        if (standing) {
          work.update(document.ref, { ...settledAs('suppressed'), standing })
          return []
        }
        const tries = isOurs ? row.tries : row.tries + 1
        work.update(document.ref, { ...settledAs('sending'), tries, owner })
        const { extra } = knownIn(listed[i])
        const known = { language: languageIn(extra), firstName: firstNameIn(extra) }
        return [{ addressId: document.id, email: row.email, tries, dueAt: dueOf(row), ...known }]
      })
      return { seen: rows.length, claimed }
    })
    const left = unanswered.get(attempt)?.slice(done.seen) ?? []
    if (left.length > 0) unanswered.set(attempt, left)
    else unanswered.delete(attempt)
    return done
  }

  /** Claims are made one after another, since parallel ones would want the same rows. */
  let last: Promise<unknown> = Promise.resolve()

  return (
    owner: string,
    id: string,
    wanted: ClaimWanted,
    ended: readonly DeliveryResult[],
  ): Promise<ClaimedDelivery[]> => {
    const claiming = last.then(async () => {
      // Repeated only if all rows that were due became `suppressed`.
      for (let noted = ended; ; noted = []) {
        const { seen, claimed } = await claimSome(owner, id, wanted, noted)
        if (seen === 0 || claimed.length > 0) return claimed
      }
    })
    last = claiming.catch(() => {})
    return claiming
  }
}

/** When a row was due; for a row that a lost attempt claimed, when it did. */
function dueOf({ untriedDueAt, triedDueAt, changedAt }: Row): Date {
  return timeIn(untriedDueAt ?? triedDueAt ?? changedAt)
}
