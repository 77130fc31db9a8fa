import type { Announcement } from '../store/delivery-ledger.ts'
import type { Store } from '../store/store.ts'
import { balanceOf } from './balance.ts'
import { type AlsoWhoGot, candidates } from './left-out.ts'

const BATCH = 500

/** Subscribers and ledger do not agree on how many are to be told: nobody may be mailed. */
export class Imbalance extends Error {
  override readonly name = 'Imbalance'
}

/**
 * Gives everybody from before the cut-off a row. Can be interrupted anywhere and done again.
 *
 * @param onRow is told how many subscribers it has gone through.
 * @throws Imbalance, LockLost, StoreUnavailable
 */
export async function enlistEveryone(
  store: Store,
  owner: string,
  { id, cutOff }: Announcement,
  also: AlsoWhoGot,
  onRow: (rows: number) => void,
): Promise<Announcement> {
  for (;;) {
    const added = await enlistOnce(store, owner, id, cutOff, also, onRow)
    const announcement = await store.countEligible(owner, id)
    const { holds, eligible, rows } = balanceOf(announcement, await store.tally(id))
    if (holds) return announcement
    // Somebody was imported behind our back: look again. But not for ever.
    if (added === 0)
      throw new Imbalance(`${eligible} subscribers are to be told, but ${rows} have a row.`)
  }
}

async function enlistOnce(
  store: Store,
  owner: string,
  id: string,
  until: Date,
  also: AlsoWhoGot,
  onRow: (rows: number) => void,
): Promise<number> {
  let added = 0
  let seen = 0
  const everybody = store.stream({ until, standing: 'all' })
  for await (const subscribers of candidates(store, id, also, everybody, BATCH)) {
    added += await store.enlist(owner, id, subscribers)
    seen += subscribers.length
    onRow(seen)
  }
  return added
}
