import type { Announcement } from '../store/delivery-ledger.ts'
import type { Store } from '../store/store.ts'
import { rowsOf } from './balance.ts'

/** Which part of an announcement a run is to send. */
export interface Part {
  readonly id: string
  /** Also tells those who signed up since the cut-off. */
  readonly includeNew?: boolean | undefined
  /** Sends only what ended so before; nobody else. */
  readonly retry?: 'failed' | 'uncertain' | undefined
  /** Of all who are eligible, in order of sign-up, how many may have been tried when it ends. */
  readonly first?: ((eligible: number) => number) | undefined
}

export interface Expected {
  /** Who is to be told by the whole announcement. */
  readonly eligible: number
  /** Of these, who may be tried for the first time. */
  readonly untried: number
  /** Who may be tried at all. Those who unsubscribed are still among them. */
  readonly toSend: number
}

/** How much a run would have to do if it began now. Writes nothing. @throws StoreUnavailable */
export async function expected(store: Store, part: Part): Promise<Expected> {
  const announcement = await store.findAnnouncement(part.id)
  const tally = await store.tally(part.id)
  const eligible =
    announcement?.eligible === undefined || part.includeNew
      ? (await store.countIn({ ...untilCutOff(announcement, part), standing: 'all' })) +
        tally.forgotten
      : announcement.eligible
  const untried = mayBeTaken(eligible, rowsOf(tally) - tally.untried, part)
  const again = part.retry ? tally[part.retry] : 0
  return { eligible, untried, toSend: tally.queued - tally.untried + again + untried }
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
