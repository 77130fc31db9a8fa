import type { Subscriber } from '../shared/subscriber.ts'
import type { Announcement, Delivery } from '../store/delivery-ledger.ts'
import type { Store } from '../store/store.ts'
import type { Expected } from './expected.ts'
import { type Candidate, candidates } from './left-out.ts'
import { type RecipientSelection, untilCutOff } from './recipient-selection.ts'

/** Subscribers that are looked up in one call: over a network, each call has a latency. */
const BATCH = 100

/**
 * The recipients that a run would send to if it began now, in order of sign-up. Writes nothing.
 *
 * @param expected of that run. @throws StoreUnavailable
 */
export async function* recipients(
  store: Store,
  selection: RecipientSelection,
  expected: Expected,
): AsyncIterable<Subscriber> {
  const announcement = await store.findAnnouncement(selection.id)
  let { untried } = expected

  async function look(subscriber: Candidate) {
    const [standing, deliveries] = await Promise.all([
      store.standing(subscriber.email),
      store.deliveriesTo(subscriber.email),
    ])
    const row = deliveries.find((one) => one.announcement === selection.id)
    const isOut = standing || subscriber.leftOut
    return { subscriber, turn: isOut ? 'none' : turnOf(row, announcement, selection) } as const
  }

  const everybody = store.stream({ ...untilCutOff(announcement, selection), standing: 'all' })
  for await (const batch of candidates(store, selection.id, selection, everybody, BATCH))
    for (const { subscriber, turn } of await Promise.all(batch.map(look))) {
      if (turn === 'none' || (turn === 'first' && untried === 0)) continue
      if (turn === 'first') untried -= 1
      yield subscriber
    }
}

/** Whether a run sends to a recipient for the first time, again, or not. */
function turnOf(
  row: Delivery | undefined,
  announcement: Announcement | undefined,
  { includeNew, retry, alsoWhoGot }: RecipientSelection,
): 'first' | 'again' | 'none' {
  const isOpen = announcement?.eligible === undefined || includeNew
  if (!row) return isOpen ? 'first' : 'none'
  if (row.standing === 'told' && alsoWhoGot && !retry) return 'first'
  if (row.standing === 'quarantined' && isOpen && !retry) return 'first'
  if (row.status === 'queued') return row.tries > 0 ? 'again' : 'first'
  // A row that a dead run left `sending` becomes `uncertain` when the next run begins.
  const status = row.status === 'sending' ? 'uncertain' : row.status
  return status === retry ? 'again' : 'none'
}
