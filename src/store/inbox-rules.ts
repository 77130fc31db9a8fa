import { isSaidBefore } from '../people/late-entries.ts'
import { parseEmail } from '../shared/email.ts'
import { isProbeAddress } from '../shared/probe-address.ts'
import type { Claim, CollectState, FineTime, FoundDocument, FoundSignUp, Look } from './inbox.ts'

/*
 * What becomes of documents that visitors wrote into Firestore, and when it is looked for them. All of
 * it is pure: no file, no clock.
 */

const MINUTE_S = 60
const DAY_S = 24 * 60 * MINUTE_S

/** Whether a document is of before its address was forgotten. One without a time is. */
export function isErasedBy(at: Date, { subscribedAt }: Pick<FoundDocument, 'subscribedAt'>) {
  return !subscribedAt || !isSaidBefore(at, toDate(subscribedAt))
}

export const compareTimes = (one: FineTime, other: FineTime): number =>
  one.seconds - other.seconds || one.nanoseconds - other.nanoseconds

const later = (one: FineTime | undefined, other: FineTime | undefined): FineTime | undefined =>
  one && other ? (compareTimes(one, other) < 0 ? other : one) : (one ?? other)

const before = ({ seconds, nanoseconds }: FineTime, by: number): FineTime => ({
  seconds: Math.max(0, seconds - by),
  nanoseconds,
})

const FIELDS = ['email', 'subscribedAt']
/** A commit is at most a minute after the time in its document; two clocks may differ. */
const AHEAD_S = 5 * MINUTE_S

/**
 * The sign-up in a document, which the rules let a page write. Everything else is odd: it is counted,
 * stops nothing and moves no look.
 *
 * @param readAt by Google's clock.
 */
export function signUpIn(
  { id, fields, email, subscribedAt }: FoundDocument,
  readAt: FineTime,
): FoundSignUp | undefined {
  if (fields.length !== FIELDS.length || !FIELDS.every((name) => fields.includes(name)))
    return undefined
  if (!subscribedAt || subscribedAt.seconds > readAt.seconds + AHEAD_S) return undefined
  if (typeof email !== 'string' || parseEmail(email) !== email || isProbeAddress(email))
    return undefined
  return { id, email, at: toDate(subscribedAt), fine: subscribedAt }
}

/** Rounded down, so that a no of the same millisecond stays. */
export const toDate = ({ seconds, nanoseconds }: FineTime): Date =>
  new Date(seconds * 1000 + Math.floor(nanoseconds / 1e6))

/** Firestore charges a read for each of so many entries of an index that a query passes over. */
const ENTRIES_A_READ = 1000

/**
 * The reads that a look takes beyond those of the documents that are new to it. As many as it finds new
 * may be read again: so a rush is read twice, at most, and is not kept waiting.
 *
 * @param all the documents of the collection.
 */
export function readsOf({ again, fresh }: Pick<Look, 'again' | 'fresh'>, all: number): number {
  return Math.ceil(all / ENTRIES_A_READ) + Math.max(0, again - fresh)
}

/**
 * Whether so long has passed since a time, all in milliseconds. A clock that was set back does not keep
 * anything from being done.
 */
export const isPast = (since: number, ms: number, now: number): boolean =>
  Math.abs(now - since) >= ms

const DAY_READS = 25_000
const SHORTEST_PAUSE_MS = 20_000

/**
 * How long after a look the next one begins, in milliseconds: the longer the list, the longer, so that
 * a day of looks stays under 25,000 reads.
 */
export function pauseAfter({ lastReads, newest, lookedAt }: CollectState): number {
  // The claim is read before each look.
  const pause = Math.max(SHORTEST_PAUSE_MS, ((lastReads + 1) * DAY_S * 1000) / DAY_READS)
  // Once nothing earlier can come any more, the last minutes are not read again.
  const settlesIn = newest ? (newest.seconds + SETTLED_S - (lookedAt.minutes ?? 0)) * 1000 : 0
  return settlesIn > 0 ? Math.min(pause, Math.max(SHORTEST_PAUSE_MS, settlesIn)) : pause
}

/** Below this, `firstCost` is not worth a word. */
const DEAR = 100_000
const DOLLARS_A_READ = 0.6 / 1e6

/** What a look at everything costs, in words; nothing where that is little. */
export function firstCost(all: number): string | undefined {
  if (all < DEAR) return undefined
  const reads = all + Math.ceil(all / ENTRIES_A_READ)
  return `${reads.toLocaleString('en')} reads, about ${(reads * DOLLARS_A_READ).toFixed(2)} $ at Google's American prices`
}

const REACH_S = { minutes: 2 * MINUTE_S, day: DAY_S } as const
/** So long after the newest document no earlier one is still on its way. */
const SETTLED_S = 5 * MINUTE_S

/**
 * The next look: nightly from a day before the newest document, and else from two minutes before, since
 * commits come late. In the background, where nothing came since, a farther one would find nothing new, and
 * is left out. What is due, the last look says by Google's clock: this machine's may differ from it, and
 * may be set.
 */
export function nextLook(state: CollectState, isOnCommand: boolean): Look {
  const { newest, lookedAt } = state
  if (!newest) return wholeLook
  const isOver = (reach: 'minutes' | 'day') => (lookedAt[reach] ?? 0) - newest.seconds >= SETTLED_S
  // Every look is also one of the minutes.
  const isDue = (lookedAt.minutes ?? 0) - (lookedAt.day ?? 0) >= DAY_S
  const reach = isDue && !isOver('day') ? 'day' : 'minutes'
  const isQuiet = reach === 'minutes' && isOver(reach) && !isOnCommand
  return { reach, from: isQuiet ? newest : before(newest, REACH_S[reach]), again: 0, fresh: 0 }
}

/** A look at everything. */
export const wholeLook: Look = {
  reach: 'all',
  from: { seconds: 0, nanoseconds: 0 },
  again: 0,
  fresh: 0,
}

/** What the state becomes when a look has ended. @param all the documents of the collection. */
export function afterLook(
  state: CollectState,
  look: Look,
  all: number,
  now: number,
): Partial<CollectState> {
  const began = look.beganAt?.seconds
  const isShort = look.reach === 'minutes'
  return {
    newest: later(state.newest, look.newest),
    look: undefined,
    at: now,
    // A look that reaches farther has done what a shorter one does.
    lookedAt: { minutes: began, day: isShort ? state.lookedAt.day : began },
    // Longer looks are few, and read what came since the last one.
    lastReads: readsOf(isShort ? look : { again: 0, fresh: 0 }, all),
  }
}

/** A look with one more page of documents. */
export function withPage(
  look: Look,
  signUps: readonly { readonly fine: FineTime }[],
  page: {
    readonly readAt: FineTime
    readonly next: Look['after']
    readonly again: number
    readonly fresh: number
  },
): Look {
  const beganAt = look.beganAt ?? page.readAt
  // Beside documents that came after it began, others may be missing.
  const newest = signUps
    .map(({ fine }) => fine)
    .filter((at) => compareTimes(at, beganAt) <= 0)
    .reduce<FineTime | undefined>(later, look.newest)
  const [again, fresh] = [look.again + page.again, look.fresh + page.fresh]
  return { ...look, beganAt, newest, after: page.next, again, fresh }
}

/** Whether a list may take in. */
export type MayCollect = 'first' | 'own' | 'other' | 'behind'

/**
 * @param claim what stands at Google. @param own what this list remembers.
 * @returns `other` where another list takes in; `behind` where this one knows fewer noes than it
 *   wrote: it is an older copy of itself.
 */
export function mayCollect(
  claim: Claim | undefined,
  own: Pick<CollectState, 'list' | 'generation' | 'noes'> | undefined,
): MayCollect {
  if (!claim) return 'first'
  if (claim.list !== own?.list || claim.generation !== own.generation) return 'other'
  return claim.noes > own.noes ? 'behind' : 'own'
}
