import { type Announcement, noSuppressions } from '../store/delivery-ledger.ts'
import type { Store } from '../store/store.ts'
import { rowsOf } from './balance.ts'
import { type AlsoWhoGot, candidates } from './left-out.ts'

/** So many are looked up at once: a store across a network takes its time over each. */
const BATCH = 100

/** Which part of an announcement a run is to send. */
export interface Part {
  readonly id: string
  /** Also tells those who signed up since the cut-off. */
  readonly includeNew?: boolean | undefined
  /** Sends only what ended so before; nobody else. */
  readonly retry?: 'failed' | 'uncertain' | undefined
  /** Of all who are eligible, in order of sign-up, how many may have been tried when it ends. */
  readonly first?: ((eligible: number) => number) | undefined
  /** Whoever got another announcement is left out, but for these. */
  readonly alsoWhoGot?: AlsoWhoGot | undefined
}

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
export async function expected(store: Store, part: Part): Promise<Expected> {
  const announcement = await store.findAnnouncement(part.id)
  const tally = await store.tally(part.id)
  const isOpen = announcement?.eligible === undefined || part.includeNew
  const inTime = { ...untilCutOff(announcement, part), standing: 'all' } as const
  const eligible = isOpen
    ? (await store.countIn(inTime)) + tally.forgotten
    : (announcement?.eligible ?? 0)
  const before = announcement ? await store.suppressedAs(part.id) : noSuppressions()
  const leftOut = { mailbox: before.mailbox, told: before.told }
  if ((isOpen || part.alsoWhoGot) && !part.retry) {
    // Counted anew: some may have been left out for what leaves nobody out any more.
    leftOut.told = 0
    const everybody = store.stream(inTime)
    for await (const batch of candidates(store, part.id, part.alsoWhoGot ?? [], everybody, BATCH))
      for (const { leftOut: why } of batch) if (why) leftOut[why] += 1
  }
  const untried = mayBeTaken(
    eligible - leftOut.mailbox - leftOut.told,
    rowsOf(tally) - tally.untried - before.mailbox - before.told,
    part,
  )
  const again = part.retry ? tally[part.retry] : 0
  return { eligible, untried, leftOut, toSend: tally.queued - tally.untried + again + untried }
}

/** Who signed up in time. A cut-off stays until everybody has a row. */
export function untilCutOff(announcement: Announcement | undefined, { includeNew }: Part) {
  const isMoved = includeNew && announcement?.eligible !== undefined
  return announcement && !isMoved ? { until: announcement.cutOff } : {}
}

/** @param taken how many of the eligible have been tried before, or left out. */
export function mayBeTaken(eligible: number, taken: number, { retry, first }: Part): number {
  if (retry) return 0
  const untried = Math.max(0, eligible - taken)
  return first ? Math.min(untried, Math.max(0, first(eligible) - taken)) : untried
}
