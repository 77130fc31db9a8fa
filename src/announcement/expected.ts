import { type LeftOut, noSuppressions } from '../store/delivery-ledger.ts'
import type { Store } from '../store/store.ts'
import { rowsOf } from './balance.ts'
import { candidates } from './candidates.ts'
import { leftOutOf } from './left-out.ts'
import { mayBeTaken, type RecipientSelection, untilCutOff } from './recipient-selection.ts'

/** Subscribers that are looked up in one call: over a network, each call has a latency. */
const BATCH = 100

export interface Expected {
  /** All recipients of the announcement. */
  readonly eligible: number
  /** Of these, how many were tried before. */
  readonly taken: number
  /** Of these, how many this run may try for the first time. */
  readonly untried: number
  /** How many this run may try. Still counts those who unsubscribed. */
  readonly toSend: number
  /** How many are left out, but not by their own wish. */
  readonly leftOut: Readonly<Record<LeftOut | 'quarantined', number>>
}

/** Counts what a run would do if it began now. Writes nothing. @throws StoreUnavailable */
export async function expected(store: Store, selection: RecipientSelection): Promise<Expected> {
  const announcement = await store.findAnnouncement(selection.id)
  const tally = await store.tally(selection.id)
  const isOpen = announcement?.eligible === undefined || selection.includeNew
  const inTime = { ...untilCutOff(announcement, selection), standing: 'all' } as const
  const eligible = isOpen
    ? (await store.countIn(inTime)) + tally.forgotten
    : (announcement?.eligible ?? 0)
  const before = announcement ? await store.suppressedAs(selection.id) : noSuppressions()
  const { mailbox, told, confirmed, unmailable, quarantined } = before
  const leftOut = { mailbox, told, confirmed, unmailable, quarantined }
  if ((isOpen || selection.alsoWhoGot) && !selection.retry) {
    // Counted again: an announcement that left them out before may be in `alsoWhoGot` now.
    leftOut.told = 0
    const everybody = store.stream(inTime)
    for await (const batch of candidates(store, selection.id, selection, everybody, BATCH))
      for (const { leftOut: why, wasLeftOutAs } of batch) {
        // Where nobody is enlisted, a row stays as it is.
        if (wasLeftOutAs && !isOpen) continue
        if (wasLeftOutAs) leftOut[wasLeftOutAs] -= 1
        if (why) leftOut[why] += 1
      }
  }
  const taken = rowsOf(tally) - tally.untried - leftOutOf(before)
  const untried = mayBeTaken(eligible - leftOutOf(leftOut), taken, selection)
  const again = selection.retry ? tally[selection.retry] : 0
  return {
    eligible,
    taken,
    untried,
    leftOut,
    toSend: tally.queued - tally.untried + again + untried,
  }
}
