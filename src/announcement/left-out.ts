import { batches } from '../shared/batches.ts'
import { ASK, type LeftOut, leftOutReasons } from '../store/delivery-ledger.ts'
import type { Store } from '../store/store.ts'

const BATCH = 400

/** The earlier announcements whose recipients get this one too. */
export type AlsoWhoGot = readonly string[] | 'all'

/** The announcements whose recipients are left out of this one. @throws StoreUnavailable */
export async function leavingOut(store: Store, id: string, also: AlsoWhoGot): Promise<string[]> {
  if (also === 'all' || id === ASK) return []
  const names = (await store.announcements()).map((announcement) => announcement.id)
  return names.filter((name) => name !== id && name !== ASK && !also.includes(name))
}

/** How many are left out, whatever the reason. */
export function leftOutOf(counts: Readonly<Record<LeftOut | 'quarantined', number>>): number {
  return leftOutReasons.reduce((sum, reason) => sum + counts[reason], counts.quarantined)
}

/** Queues the recipients that were left out because of announcements now in `alsoWhoGot`. */
export async function bringBackTold(
  store: Store,
  owner: string,
  id: string,
  also: AlsoWhoGot,
): Promise<void> {
  const earlier = await leavingOut(store, id, also)
  for await (const rows of batches(store.deliveries(id, 'suppressed'), BATCH)) {
    const emails = rows.flatMap(({ standing, email = [] }) => (standing === 'told' ? email : []))
    const told = await toldAmong(store, earlier, emails)
    await store.bringBack(
      owner,
      id,
      emails.filter((email) => !told.has(email)),
      'told',
    )
  }
}

/** Who of some addresses got one of these announcements. @throws StoreUnavailable */
export async function toldAmong(store: Store, earlier: string[], emails: readonly string[]) {
  return earlier.length > 0 ? store.toldAmong(earlier, emails) : new Set()
}
