import {
  type LeftOut,
  leftOutReasons,
  type Recipient,
  tellsNews,
  wasSent,
} from '../store/delivery-ledger.ts'
import type { DeliveryLedger } from '../store/store.ts'

/** The other announcements whose recipients get this one too. */
export type AlsoWhoGot = readonly string[] | 'all'

/** The announcements whose recipients are left out of this one. @throws StoreUnavailable */
export async function leavingOut(
  ledger: Pick<DeliveryLedger, 'announcements'>,
  id: string,
  also: AlsoWhoGot,
): Promise<string[]> {
  if (also === 'all' || !tellsNews(id)) return []
  const names = (await ledger.announcements()).map((announcement) => announcement.id)
  return names.filter((name) => name !== id && tellsNews(name) && !also.includes(name))
}

/** Whether somebody got one of these announcements, or may have got it. */
export const wasTold = ({ letters }: Pick<Recipient, 'letters'>, ids: ReadonlySet<string>) =>
  letters.some((letter) => ids.has(letter.announcement) && wasSent(letter))

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
  const earlier = new Set(await leavingOut(ledger, id, also))
  for await (const page of ledger.everybody()) {
    const back = page.filter((one) => {
      const row = one.letters.find(({ announcement }) => announcement === id)
      return row?.standing === 'told' && !wasTold(one, earlier)
    })
    const again = back.map(({ number }) => ({ number, wasLeftOutAs: 'told' as const }))
    if (again.length > 0) await ledger.enlist(owner, id, again)
  }
}
