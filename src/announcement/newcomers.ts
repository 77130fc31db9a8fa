import { askedBy } from '../shared/asked-by-letter.ts'
import { batches } from '../shared/batches.ts'
import { silentBefore } from '../shared/heard-nothing.ts'
import type { Announcement } from '../store/delivery-ledger.ts'
import type { Store } from '../store/store.ts'
import { leavingOut, toldAmong } from './left-out.ts'
import type { LeavingOut } from './recipient-selection.ts'

const BATCH = 400

/**
 * How many signed up since an announcement began, whom it would tell too: those who got another
 * announcement meanwhile are not among them.
 *
 * @throws StoreUnavailable
 */
export async function countNewcomers(
  { ledger, list }: Pick<Store, 'ledger' | 'list'>,
  { id, cutOff }: Pick<Announcement, 'id' | 'cutOff'>,
  { alsoWhoGot = [], leavesOut }: Pick<LeavingOut, 'alsoWhoGot' | 'leavesOut'>,
): Promise<number> {
  // Who signed up lately need not be asked whether they are still interested.
  const until = askedBy(id) === 'still-interested' && silentBefore(new Date())
  const range = { since: cutOff, isByArrival: true, ...(until && { until }) }
  const others = await leavingOut(ledger, id, alsoWhoGot)
  // A store counts faster than it lists.
  if (others.length === 0 && !leavesOut) return list.countIn(range)
  let count = 0
  for await (const some of batches(list.stream(range), BATCH)) {
    const wanted = leavesOut ? some.filter((one) => !leavesOut(one)) : some
    const emails = wanted.map(({ email }) => email)
    count += emails.length - (await toldAmong(ledger, others, emails)).size
  }
  return count
}
