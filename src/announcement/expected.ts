import { noSuppressions } from '../store/delivery-ledger.ts'
import type { Store } from '../store/store.ts'
import { rowsOf } from './balance.ts'
import { candidates } from './left-out.ts'
import { mayBeTaken, type RecipientSelection, untilCutOff } from './recipient-selection.ts'

/** So many are looked up at once: a store across a network takes its time over each. */
const BATCH = 100

export interface Expected {
  /** Who is to be told by the whole announcement. */
  readonly eligible: number
  /** Of these, who may be tried for the first time. */
  readonly untried: number
  /** Who may be tried at all. Those who unsubscribed are still among them. */
  readonly toSend: number
  /** Who is not to be tried for a reason of the announcement's, not of theirs. */
  readonly leftOut: { readonly mailbox: number; readonly told: number }
}

/** How much a run would have to do if it began now. Writes nothing. @throws StoreUnavailable */
export async function expected(store: Store, selection: RecipientSelection): Promise<Expected> {
  const announcement = await store.findAnnouncement(selection.id)
  const tally = await store.tally(selection.id)
  const isOpen = announcement?.eligible === undefined || selection.includeNew
  const inTime = { ...untilCutOff(announcement, selection), standing: 'all' } as const
  const eligible = isOpen
    ? (await store.countIn(inTime)) + tally.forgotten
    : (announcement?.eligible ?? 0)
  const before = announcement ? await store.suppressedAs(selection.id) : noSuppressions()
  const leftOut = { mailbox: before.mailbox, told: before.told }
  if ((isOpen || selection.alsoWhoGot) && !selection.retry) {
    // Counted anew: some may have been left out for what leaves nobody out any more.
    leftOut.told = 0
    const everybody = store.stream(inTime)
    for await (const batch of candidates(
      store,
      selection.id,
      selection.alsoWhoGot ?? [],
      everybody,
      BATCH,
    ))
      for (const { leftOut: why } of batch) if (why) leftOut[why] += 1
  }
  const untried = mayBeTaken(
    eligible - leftOut.mailbox - leftOut.told,
    rowsOf(tally) - tally.untried - before.mailbox - before.told,
    selection,
  )
  const again = selection.retry ? tally[selection.retry] : 0
  return { eligible, untried, leftOut, toSend: tally.queued - tally.untried + again + untried }
}
