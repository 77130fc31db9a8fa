import type { Finding } from '../shared/finding.ts'
import { type SuppressionCounts, suppressionReasons, tellsNews } from '../store/delivery-ledger.ts'
import { askedBy } from '../store/letters-that-ask.ts'
import type { DeliveryLedger, Store } from '../store/store.ts'
import { leavingOut } from './left-out.ts'
import type { RunCount } from './outlook.ts'
import type { RecipientSelection } from './run-options.ts'

/** The other announcements that reached a recipient, newest first. @throws StoreUnavailable */
async function reachedBefore(ledger: DeliveryLedger, id: string) {
  const reached = []
  for (const other of await ledger.announcements()) {
    if (other.id === id || !tellsNews(other.id)) continue
    const { sent, uncertain } = other.tally
    if (sent + uncertain > 0)
      reached.push({ id: other.id, people: sent + uncertain, begunAt: other.begunAt })
  }
  return reached
}

/** How many recipients are left out and why, and which announcements came before. @throws StoreUnavailable */
export async function findLeftOut(
  store: Store,
  selection: RecipientSelection,
  { leftOut, twice }: Pick<RunCount, 'leftOut' | 'twice'>,
): Promise<Finding[]> {
  const out = await leavingOut(store.ledger, selection.id, selection.alsoWhoGot ?? [])
  // A letter that asks leaves nobody out because of another, and tells nobody the same again.
  const earlier = askedBy(selection.id) ? [] : await reachedBefore(store.ledger, selection.id)
  const leaving = earlier.filter(({ id }) => out.includes(id))
  return [
    ...earlier.flatMap(({ id, people, begunAt }): Finding[] => {
      const isLeftOut = out.includes(id)
      const isAlone = leaving.every((one) => one.id === id)
      if (isLeftOut && leftOut.told === 0) return []
      const what = { about: id, begunAt: begunAt.getTime(), people, isLeftOut, isAlone }
      return [{ code: 'earlier', verdict: 'note', ...what }]
    }),
    ...leftOutFound(leftOut),
    ...(twice > 0 ? [{ code: 'told-since', verdict: 'fatal', people: twice } as const] : []),
  ]
}

/** A finding for each reason. */
export function leftOutFound(leftOut: SuppressionCounts): Finding[] {
  return suppressionReasons
    .filter((reason) => leftOut[reason] > 0)
    .map((about) => ({ code: 'left-out', verdict: 'note', about, people: leftOut[about] }))
}
