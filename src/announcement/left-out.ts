import { batches } from '../shared/batches.ts'
import {
  type DeliveryLedger,
  type LeftOut,
  leftOutReasons,
  tellsNews,
} from '../store/delivery-ledger.ts'

const BATCH = 400

/** The other announcements whose recipients get this one too. */
export type AlsoWhoGot = readonly string[] | 'all'

/** The announcements whose recipients are left out of this one. @throws StoreUnavailable */
export async function leavingOut(
  ledger: DeliveryLedger,
  id: string,
  also: AlsoWhoGot,
): Promise<string[]> {
  if (also === 'all' || !tellsNews(id)) return []
  const names = (await ledger.announcements()).map((announcement) => announcement.id)
  return names.filter((name) => name !== id && tellsNews(name) && !also.includes(name))
}

/** How many are left out, for all reasons. */
export function leftOutOf(counts: Readonly<Record<LeftOut | 'quarantined', number>>): number {
  return leftOutReasons.reduce((sum, reason) => sum + counts[reason], counts.quarantined)
}

/** Queues the recipients that were left out because of announcements now in `alsoWhoGot`. */
export async function bringBackTold(
  ledger: DeliveryLedger,
  owner: string,
  id: string,
  also: AlsoWhoGot,
): Promise<void> {
  const earlier = await leavingOut(ledger, id, also)
  for await (const rows of batches(ledger.deliveries(id, 'suppressed'), BATCH)) {
    const emails = rows.flatMap(({ standing, email = [] }) => (standing === 'told' ? email : []))
    const told = await toldAmong(ledger, earlier, emails)
    const back = emails.filter((email) => !told.has(email)).map((email) => ({ email }))
    await ledger.decideAgain(owner, id, back, 'told')
  }
}

/** Those of some addresses that got one of these announcements. @throws StoreUnavailable */
export async function toldAmong(
  ledger: DeliveryLedger,
  earlier: string[],
  emails: readonly string[],
) {
  return earlier.length > 0 ? ledger.toldAmong(earlier, emails) : new Set()
}
