import type { Subscriber } from '../shared/subscriber.ts'
import type { Announcement, LeftOut, SuppressionReason } from '../store/delivery-ledger.ts'
import { mayBeWrittenTo } from '../store/standing.ts'
import type { Store } from '../store/store.ts'
import { type Candidate, candidates } from './candidates.ts'
import { expected } from './expected.ts'
import { leftOutOf } from './left-out.ts'
import { mayBeTaken, type RecipientSelection, untilCutOff } from './recipient-selection.ts'

/** Subscribers that are looked up in one call: over a network, each call has a latency. */
const BATCH = 100

/** What a run that began now would do with somebody. */
export type Turn = 'first' | 'again' | 'none'

export interface Prospect extends Subscriber {
  readonly turn: Turn
  /** Why it would send them nothing, where that is not that they are told already. */
  readonly leftOut?: SuppressionReason | LeftOut | undefined
}

/**
 * Everybody from before the cut-off of a run that began now, in order of sign-up, with what it would
 * do with them if its stage had no end. Writes nothing. @throws StoreUnavailable
 */
export async function* prospects(
  store: Store,
  selection: RecipientSelection,
): AsyncIterable<Prospect> {
  const { id } = selection
  const announcement = await store.findAnnouncement(id)
  // Whoever was forgotten and came back has a row that does not say whose it is.
  const isAnyForgotten = (await store.tally(id)).forgotten > 0
  const rowOf = async ({ row, email }: Candidate) =>
    row || !isAnyForgotten
      ? row
      : (await store.deliveriesTo(email)).find((one) => one.announcement === id)

  const everybody = store.stream({ ...untilCutOff(announcement, selection), standing: 'all' })
  for await (const batch of candidates(store, id, selection, everybody, BATCH))
    yield* await Promise.all(
      batch.map(async (one): Promise<Prospect> => {
        const { email, subscribedAt, standing } = one
        const leftOut = mayBeWrittenTo(standing) ? one.leftOut : standing
        const turn = leftOut ? 'none' : turnOf(await rowOf(one), announcement, selection)
        return { email, subscribedAt, turn, leftOut }
      }),
    )
}

/** Whether a run sends to a recipient for the first time, again, or not. */
function turnOf(
  row: Candidate['row'],
  announcement: Announcement | undefined,
  { includeNew, retry, alsoWhoGot }: RecipientSelection,
): Turn {
  const isOpen = announcement?.eligible === undefined || includeNew
  if (!row) return isOpen ? 'first' : 'none'
  if (row.standing === 'told' && alsoWhoGot && !retry) return 'first'
  const isBack = row.standing === 'quarantined' || row.standing === 'mailbox'
  if (isBack && isOpen && !retry) return 'first'
  if (row.status === 'queued') return row.tries > 0 ? 'again' : 'first'
  // A row that a dead run left `sending` becomes `uncertain` when the next run begins.
  const status = row.status === 'sending' ? 'uncertain' : row.status
  return status === retry ? 'again' : 'none'
}

/** Who would get a letter from a run that began now, in numbers. */
export interface Outlook {
  /** How many it would be sent to. */
  readonly people: number
  /** How many it would be sent to in a stage. @param first as `RecipientSelection` has it. */
  readonly inStage: (first: (eligible: number) => number) => number
  /** How many are left out, by the reason. */
  readonly leftOut: Readonly<Partial<Record<SuppressionReason, number>>>
  /** The first of those it would be sent to. */
  readonly sample: readonly string[]
}

const SAMPLE = 20

/** Counts whom a run would send to if it began now. Reads everybody. @throws StoreUnavailable */
export async function foresee(
  store: Store,
  selection: Omit<RecipientSelection, 'first'>,
): Promise<Outlook> {
  const ahead = await expected(store, selection)
  const leftOut: Partial<Record<SuppressionReason, number>> = {}
  const sample: string[] = []
  const count = { first: 0, again: 0, none: 0 }
  for await (const { email, turn, leftOut: why } of prospects(store, selection)) {
    count[turn] += 1
    if (why) leftOut[why] = (leftOut[why] ?? 0) + 1
    if (turn !== 'none' && sample.length < SAMPLE) sample.push(email)
  }
  const inStage = (first?: (eligible: number) => number) => {
    const eligible = ahead.eligible - leftOutOf(ahead.leftOut)
    const mayBe = mayBeTaken(eligible, ahead.taken, { ...selection, first })
    return count.again + Math.min(count.first, mayBe)
  }
  return { people: inStage(), inStage, leftOut, sample }
}
