import type { Announcement } from '../store/delivery-ledger.ts'
import type { Store } from '../store/store.ts'
import { balanceOf } from './balance.ts'
import { refused } from './refusal.ts'
import type { LeavingOut } from './run-options.ts'
import { candidates } from './who-is-told.ts'

/** Rows of one commit. */
const AT_ONCE = 500

/**
 * Adds a row for everybody up to the cut-off, and decides again on those who were released from a
 * quarantine, had no place among the letters of their mailbox, or gave another answer: they are queued,
 * or left out for what keeps them out now. Idempotent: safe to interrupt and repeat.
 *
 * @param onRow called with the number of people read so far.
 * @throws Refused, LockLost, StoreUnavailable
 */
export async function enlistEveryone(
  { ledger }: Pick<Store, 'ledger'>,
  owner: string,
  { id, upTo }: Announcement,
  leaving: LeavingOut,
  onRow: (rows: number) => void,
): Promise<Announcement> {
  let seen = 0
  for await (const people of candidates(ledger, id, leaving, { upTo }, AT_ONCE)) {
    await ledger.enlist(owner, id, people)
    seen += people.length
    onRow(seen)
  }
  const announcement = await ledger.countEligible(owner, id)
  const balance = balanceOf(announcement, await ledger.counted(id))
  const { holds, eligible, rows } = balance
  if (!holds) throw refused({ code: 'imbalance', eligible, rows })
  return announcement
}
