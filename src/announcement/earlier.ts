import { grouped } from '../shared/counted.ts'
import type { Finding } from '../shared/finding.ts'
import { ASK } from '../store/delivery-ledger.ts'
import type { Store } from '../store/store.ts'
import type { Expected } from './expected.ts'
import { leavingOut } from './left-out.ts'
import { MOST_TO_A_MAILBOX } from './mailbox-places.ts'
import type { RecipientSelection } from './recipient-selection.ts'

/** Said of those who are left out as such. */
export const QUARANTINED = 'quarantined for signs of a robot; the command quarantine has them'

/** An announcement that reached somebody. */
interface Reached {
  readonly id: string
  readonly people: number
  readonly begunAt: Date
}

/** The other announcements that reached somebody, newest first. @throws StoreUnavailable */
async function reachedBefore(store: Store, id: string): Promise<Reached[]> {
  const reached: Reached[] = []
  for (const other of await store.announcements()) {
    if (other.id === id || other.id === ASK) continue
    const { sent, uncertain } = await store.tally(other.id)
    if (sent + uncertain > 0)
      reached.push({ id: other.id, people: sent + uncertain, begunAt: other.begunAt })
  }
  return reached
}

/** Reports how many recipients are left out and why, for the operator. @throws StoreUnavailable */
export async function findLeftOut(
  store: Store,
  selection: RecipientSelection,
  { leftOut }: Pick<Expected, 'leftOut'>,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const note = (what: string, detail: string) => findings.push({ what, verdict: 'note', detail })
  const out = await leavingOut(store, selection.id, selection.alsoWhoGot ?? [])
  for (const { id, people, begunAt } of await reachedBefore(store, selection.id)) {
    const told = `"${id}", begun ${begunAt.toISOString().slice(0, 16).replace('T', ' ')} UTC, reached ${grouped(people)}`
    note(
      'Earlier',
      out.includes(id)
        ? `${told}: they are left out; --also-who-got ${id} tells them too`
        : `${told}: they are told once more, as --also-who-got says`,
    )
  }
  if (leftOut.told > 0) note('Left out', `${grouped(leftOut.told)} who got an earlier announcement`)
  if (leftOut.mailbox > 0)
    note(
      'Left out',
      `${grouped(leftOut.mailbox)} whose mailbox gets ${MOST_TO_A_MAILBOX} letters already, at other addresses`,
    )
  if (leftOut.unmailable > 0)
    note('Left out', `${grouped(leftOut.unmailable)} to whose address no letter can be sent`)
  if (leftOut.quarantined > 0) note('Left out', `${grouped(leftOut.quarantined)} ${QUARANTINED}`)
  return findings
}
