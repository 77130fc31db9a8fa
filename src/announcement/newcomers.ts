import { mayBeWrittenTo } from '../people/standing.ts'
import { askedBy } from '../shared/asked-by-letter.ts'
import { silentBefore } from '../shared/heard-nothing.ts'
import type { Announcement } from '../store/delivery-ledger.ts'
import type { Store } from '../store/store.ts'
import { leavingOut, wasTold } from './left-out.ts'
import type { LeavingOut } from './recipient-selection.ts'

/**
 * How many came on the list since an announcement began, whom it would tell too: those who got another
 * announcement meanwhile are not among them.
 *
 * @throws StoreUnavailable
 */
export async function countNewcomers(
  { ledger }: Pick<Store, 'ledger'>,
  { id, upTo }: Pick<Announcement, 'id' | 'upTo'>,
  { alsoWhoGot = [], leavesOut }: Pick<LeavingOut, 'alsoWhoGot' | 'leavesOut'>,
): Promise<number> {
  // Who signed up lately need not be asked whether they are still interested.
  const until = askedBy(id) === 'still-interested' ? silentBefore(new Date()) : undefined
  const others = new Set(await leavingOut(ledger, id, alsoWhoGot))
  let count = 0
  for await (const page of ledger.everybody({ after: upTo }))
    count += page.filter(
      (one) =>
        mayBeWrittenTo(one.standing) &&
        !(until && one.subscribedAt >= until) &&
        !one.letters.some(({ announcement }) => announcement === id) &&
        !wasTold(one, others) &&
        !leavesOut?.(one),
    ).length
  return count
}
