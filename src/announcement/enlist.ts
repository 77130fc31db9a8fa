import { type Announcement, broughtBack } from '../store/delivery-ledger.ts'
import type { Store } from '../store/store.ts'
import { balanceOf } from './balance.ts'
import { candidates } from './candidates.ts'
import { cutOffRange, type LeavingOut } from './recipient-selection.ts'
import { refused } from './refusal.ts'

const BATCH = 500

/**
 * Adds a row for every subscriber from before the cut-off, and decides again on those who were
 * released from a quarantine, had no place among the letters of their mailbox, or gave another
 * answer: they are queued, or left out for what keeps them out now. Idempotent: safe to
 * interrupt and repeat.
 *
 * @param onRow called with the number of subscribers read so far.
 * @throws Refused, LockLost, StoreUnavailable
 */
export async function enlistEveryone(
  store: Store,
  owner: string,
  { id, cutOff }: Announcement,
  leaving: LeavingOut,
  onRow: (rows: number) => void,
): Promise<Announcement> {
  for (;;) {
    const added = await enlistOnce()
    const announcement = await store.ledger.countEligible(owner, id)
    const { holds, eligible, rows } = balanceOf(announcement, await store.ledger.tally(id))
    if (holds) return announcement
    // A subscriber was imported meanwhile: the list is read again, as long as that adds rows.
    if (added === 0) throw refused({ code: 'imbalance', eligible, rows })
  }

  async function enlistOnce(): Promise<number> {
    let added = 0
    let seen = 0
    let newest = 0
    let first = 0
    const everybody = store.list.stream({
      ...cutOffRange(cutOff),
      standing: 'all',
    })
    for await (const batch of candidates(store, id, leaving, everybody, BATCH)) {
      const subscribers = batch.map((one) => {
        // Before every sign-up, in the order in which they are given.
        if (one.isFirst) {
          first += 1
          return { ...one, dueAt: new Date(first) }
        }
        if (one.isLast) return { ...one, dueAt: new Date(Math.max(newest, first) + 1) }
        newest = Math.max(newest, one.subscribedAt.getTime())
        return one
      })
      added += await store.ledger.enlist(owner, id, subscribers)
      for (const why of broughtBack) {
        const again = subscribers.filter((one) => one.wasLeftOutAs === why && one.leftOut !== why)
        const decided = again.map((one) => ({ ...one, dueAt: one.dueAt ?? one.subscribedAt }))
        if (decided.length > 0) await store.ledger.decideAgain(owner, id, decided, why)
      }
      seen += subscribers.length
      onRow(seen)
    }
    return added
  }
}
