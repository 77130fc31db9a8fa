import { silentBefore } from '../shared/heard-nothing.ts'
import type { Announcement } from '../store/delivery-ledger.ts'
import { asksTheSilent } from '../store/letters-that-ask.ts'
import type { Store } from '../store/store.ts'
import type { LeavingOut } from './run-options.ts'
import { decide, decidingFor } from './who-is-told.ts'

/**
 * How many came on the list since an announcement began, whom it would tell too: those who got another
 * announcement meanwhile are not among them.
 *
 * @throws StoreUnavailable
 */
export async function countNewcomers(
  { ledger }: Pick<Store, 'ledger'>,
  { id, upTo }: Pick<Announcement, 'id' | 'upTo'>,
  leaving: LeavingOut,
): Promise<number> {
  // Who signed up lately need not be asked whether they are still interested.
  const silentSince = asksTheSilent(id) ? silentBefore(new Date()) : leaving.silentSince
  const deciding = await decidingFor(ledger, id, { ...leaving, silentSince })
  let count = 0
  for await (const page of ledger.everybody({ after: upTo }))
    count += page.filter((one) => decide(one, deciding).isWaiting).length
  return count
}
