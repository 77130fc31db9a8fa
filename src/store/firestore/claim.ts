import { type DocumentReference, Timestamp } from '@google-cloud/firestore'
import type { ClaimedDelivery, ClaimWanted } from '../delivery-ledger.ts'
import { StoreUnavailable } from '../subscriber-store.ts'
import { inForce, knownIn } from './known.ts'
import type { FirestorePaths } from './paths.ts'
import type { FirestoreRecords } from './records.ts'
import { dueFields, rowOf, settledAs } from './rows.ts'
import type { FirestoreStandings } from './standings.ts'
import type { WhileOwner } from './while-owner.ts'

const MOST_AT_ONCE = 100

/** Takes rows from the queue: looks for what is due, and takes of it what still is. */
export function firestoreClaim(
  { use, owned }: WhileOwner,
  paths: FirestorePaths,
  records: FirestoreRecords,
  { entries }: FirestoreStandings,
) {
  /** What attempts wanted that were not answered, and may have arrived: looked at again first. */
  const unanswered = new Map<string, DocumentReference[]>()

  async function dueRows(id: string, field: string, limit: number): Promise<DocumentReference[]> {
    const due = paths.deliveries(id).where(field, '<=', Timestamp.now()).orderBy(field)
    return (await use(() => due.limit(limit).get())).docs.map(({ ref }) => ref)
  }

  /** @returns how many rows were looked at, and those that were taken. */
  async function claimSome(owner: string, id: string, { limit, which }: ClaimWanted) {
    const field = dueFields[which]
    const attempt = [owner, id, which].join('/')
    const most = Math.min(limit, MOST_AT_ONCE)
    const wanted = unanswered.get(attempt) ?? (await dueRows(id, field, most))
    unanswered.set(attempt, wanted)
    const looked = wanted.slice(0, most)
    const claimed = await owned(owner, async (work) => {
      if (looked.length === 0) return []
      const [rows, listed] = await Promise.all([
        work.getAll(...looked),
        work.getAll(...looked.map((row) => entries.doc(row.id))),
      ])
      const out = await Promise.all(
        rows.map(async (row, i) => {
          const [known, email] = [knownIn(listed[i]), rowOf(row)?.email]
          // As if they had never signed up since: most have no entry, and are not looked up.
          if (email === undefined || !inForce(known, undefined)) return undefined
          return inForce(known, await records.last(email, work))?.standing
        }),
      )
      return rows.flatMap((document, i) => {
        const row = rowOf(document)
        if (row?.email === undefined) return []
        // An attempt arrived, and only its answer was lost.
        const isOurs = row.status === 'sending' && row.owner === owner
        if (row[field] === undefined && !isOurs) return []
        const standing = out[i]
        if (standing) {
          work.update(document.ref, { ...settledAs('suppressed'), standing })
          return []
        }
        const tries = isOurs ? row.tries : row.tries + 1
        work.update(document.ref, { ...settledAs('sending'), tries, owner })
        return [{ addressId: document.id, email: row.email, tries }]
      })
    })
    const left = wanted.slice(most)
    if (left.length > 0) unanswered.set(attempt, left)
    else unanswered.delete(attempt)
    return { seen: looked.length, claimed }
  }

  /** One after the other: at the same time they would all want the same rows. */
  let last: Promise<unknown> = Promise.resolve()

  return (owner: string, id: string, { limit, which }: ClaimWanted): Promise<ClaimedDelivery[]> => {
    const claiming = last.then(async () => {
      const claimed: ClaimedDelivery[] = []
      for (;;) {
        const wanted = { limit: limit - claimed.length, which }
        const some = await claimSome(owner, id, wanted).catch((error) => {
          // What is taken is to be sent; whoever asks again hears of it.
          if (claimed.length > 0 && error instanceof StoreUnavailable) return undefined
          throw error
        })
        if (!some) return claimed
        claimed.push(...some.claimed)
        if (some.seen === 0 || claimed.length >= limit) return claimed
      }
    })
    last = claiming.catch(() => {})
    return claiming
  }
}
