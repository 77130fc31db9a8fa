import { mayBeWrittenTo } from '../people/standing.ts'
import { isAsciiName } from '../shared/mailable.ts'
import type { Subscriber } from '../shared/subscriber.ts'
import {
  type Announcement,
  endedStatuses,
  leftOutReasons,
  mayComeBack,
  noSuppressions,
  type SuppressionCounts,
  type SuppressionReason,
} from '../store/delivery-ledger.ts'
import type { Store } from '../store/store.ts'
import { temporaryDatabase } from '../store/temporary-database.ts'
import { mayBeTaken, type RecipientSelection, rangeOf } from './run-options.ts'
import { type Candidate, candidates } from './who-is-told.ts'

/** Few, as the pages of the ledger are. */
const AT_ONCE = 100

/** What a run that began now would do with a recipient. */
export type Turn = 'first' | 'again' | 'none'

type Done = (typeof endedStatuses)[number]

/** Somebody who is sent a letter, with their language and first name as far as they are known. */
export interface Reader extends Subscriber {
  readonly language?: string | undefined
  readonly firstName?: string | undefined
}

export interface Prospect extends Reader {
  readonly turn: Turn
  /** Why they get nothing, unless they are told already. */
  readonly leftOut?: SuppressionReason | undefined
  /** What came of it, where they were tried and are not tried again. */
  readonly done?: Done | undefined
  /** Whether they have or get an untried row in the queue, even if they left since. */
  readonly isUntried: boolean
  /** Whether the shares of stages do not count them. */
  readonly isAside: boolean
  /** Whether they would be told twice: they got another announcement since this one began. */
  readonly isTwice: boolean
}

/**
 * Everybody among whom the recipients of a run are that began now, in their turn, with what it would do
 * with them if its stage had no limit; in pages, so that not each takes a turn. Writes nothing.
 *
 * @throws StoreUnavailable
 */
async function* prospects(
  store: Pick<Store, 'ledger'>,
  selection: RecipientSelection,
): AsyncIterable<Prospect[]> {
  const { id } = selection
  const announcement = await store.ledger.findAnnouncement(id)
  const isOpen = announcement?.eligible === undefined || selection.includeNew === true
  for await (const batch of candidates(store.ledger, id, selection, rangeOf(announcement)))
    yield batch.map((one): Prospect => {
      const { email, subscribedAt, language, firstName, standing, row } = one
      const next = one.leftOut ? 'none' : turnOf(row, announcement, selection)
      const mayBeTold = mayBeWrittenTo(standing)
      const turn = mayBeTold ? next : 'none'
      // Those who have it, or were tried, are not left out, even if they left since.
      const mayLack = row ? row.status === 'queued' || statusOf(row) === selection.retry : isOpen
      const why = one.leftOut ?? (mayBeTold ? undefined : standing)
      const wasLeftOut = row?.status === 'suppressed' && turn === 'none'
      // A run that is open decides on some of them again.
      const kept = wasLeftOut ? (isOpen && one.leftOut) || row.standing : undefined
      const leftOut = kept ?? (mayLack && turn === 'none' ? why : undefined)
      const reason = kept ?? (mayLack && row === undefined && one.leftOut)
      return {
        email,
        subscribedAt,
        language,
        firstName,
        turn,
        leftOut,
        done:
          turn === 'none' && row ? endedStatuses.find((one) => one === statusOf(row)) : undefined,
        isUntried: next === 'first',
        isAside: aside.some((one) => one === reason),
        isTwice: turn !== 'none' && one.gotAnother,
      }
    })
}

const aside = [...leftOutReasons, 'quarantined'] as const

/** Whether a run sends to a recipient for the first time, again, or not. */
function turnOf(
  row: Candidate['row'],
  announcement: Announcement | undefined,
  { includeNew, retry, alsoWhoGot }: RecipientSelection,
): Turn {
  const isOpen = announcement?.eligible === undefined || includeNew
  if (!row) return isOpen ? 'first' : 'none'
  if (row.standing === 'told' && alsoWhoGot && !retry) return 'first'
  const isBack = mayComeBack.some((why) => why === row.standing)
  if (isBack && isOpen && !retry) return 'first'
  if (row.status === 'queued') return row.tries > 0 ? 'again' : 'first'
  return statusOf(row) === retry ? 'again' : 'none'
}

/** A row that a dead run left `sending` becomes `uncertain` when the next run begins. */
const statusOf = ({ status }: NonNullable<Candidate['row']>) =>
  status === 'sending' ? 'uncertain' : status

/** A run in numbers, as it would be if it began now. Every face shows these, by these names. */
export interface RunCount {
  /** All recipients of the announcement, left out or not: as many as it has rows. */
  readonly eligible: number
  /** How many of them get nothing, by the reason. */
  readonly leftOut: SuppressionCounts
  /** How many were tried before and are not tried again, by what came of it. */
  readonly done: Readonly<Record<Done, number>>
  /** How many this run sends to. */
  readonly toSend: number
  /** The same for a stage. @param first as `RecipientSelection` has it. */
  readonly toSendIn: (first: RecipientSelection['first']) => number
  /** How many of the untried may be tried. */
  readonly untried: number
  /** How many of all that are to be tried have a local part outside ASCII. */
  readonly outsideAscii: number
  /** How many of those to be tried got another announcement since this one began. */
  readonly twice: number
  /** How many of all the untried get a letter. The others left, and are passed over in their turn. */
  readonly letters: number
  /** How many of those tried were passed over. */
  readonly passedOver: number
  /** The number that stages are shares of, and how many of these were tried. */
  readonly all: number
  readonly taken: number
  /** Those whom it might send to, where they were kept. */
  readonly kept?: KeptProspects | undefined
}

/** Those of whom a letter goes to some, in their turn, in a temporary file. */
export interface KeptProspects {
  add(one: Prospect): void
  pages(): Iterable<Prospect[]>
}

/**
 * For a process that lists them next, and then ends: to decide on everybody a second time takes as long as
 * the first time.
 */
export function keptProspects(): KeptProspects {
  const db = temporaryDatabase('CREATE TABLE kept (number INTEGER PRIMARY KEY, json TEXT) STRICT')
  const add = db.prepare('INSERT INTO kept (json) VALUES (?)')
  const next = db.prepare(`
    SELECT number, json FROM kept WHERE number > ? ORDER BY number LIMIT ${AT_ONCE}`)
  // As arrays: each row that is an object leaves a hidden class in V8's memory, and each step of a cursor.
  next.setReturnArrays(true)
  return {
    // The time as a number, which is neither written nor read as a date.
    add: (one) => void add.run(JSON.stringify({ ...one, subscribedAt: Number(one.subscribedAt) })),
    *pages() {
      for (let last = 0, isMore = true; isMore; ) {
        const rows = next.all(last) as unknown as [number: number, json: string][]
        yield rows.map(([, json]) => {
          const one: Prospect = JSON.parse(json)
          return { ...one, subscribedAt: new Date(one.subscribedAt) }
        })
        last = rows.at(-1)?.[0] ?? last
        isMore = rows.length === AT_ONCE
      }
    },
  }
}

/**
 * Counts what a run would do if it began now. Reads everybody, writes nothing.
 *
 * @param kept gets those whom it might send to. @throws StoreUnavailable
 */
export async function countRun(
  store: Pick<Store, 'ledger'>,
  selection: RecipientSelection,
  kept?: KeptProspects,
): Promise<RunCount> {
  const announcement = await store.ledger.findAnnouncement(selection.id)
  const { forgotten = 0 } = announcement?.tally ?? {}
  const leftOut = noSuppressions()
  const done = { sent: 0, failed: 0, uncertain: 0 }
  const count = {
    seen: 0,
    first: 0,
    again: 0,
    none: 0,
    untried: 0,
    aside: 0,
    passedOver: 0,
    twice: 0,
    outsideAscii: 0,
  }
  for await (const page of prospects(store, selection))
    for (const one of page) {
      count.seen += 1
      count[one.turn] += 1
      if (one.isUntried) count.untried += 1
      else if (one.isAside) count.aside += 1
      else if (one.leftOut) count.passedOver += 1
      if (one.isTwice) count.twice += 1
      if (one.turn !== 'none' && !isAsciiName(one.email)) count.outsideAscii += 1
      if (one.leftOut) leftOut[one.leftOut] += 1
      else if (one.done) done[one.done] += 1
      if (one.turn !== 'none') kept?.add(one)
    }
  const isOpen = announcement?.eligible === undefined || selection.includeNew
  const eligible = isOpen ? count.seen + forgotten : (announcement?.eligible ?? 0)
  const all = eligible - count.aside
  const taken = all - count.untried
  const untriedIn = (first: RecipientSelection['first']) =>
    mayBeTaken(all, taken, count.passedOver, { ...selection, first }, count.first)
  const toSendIn = (first: RecipientSelection['first']) =>
    count.again + Math.min(count.first, untriedIn(first))
  const { first } = selection
  return {
    eligible,
    leftOut,
    done,
    all,
    taken,
    toSendIn,
    toSend: toSendIn(first),
    untried: untriedIn(first),
    twice: count.twice,
    outsideAscii: count.outsideAscii,
    letters: count.first,
    passedOver: count.passedOver,
    ...(kept && { kept }),
  }
}

/**
 * The recipients that a run would send to if it began now, in their turn and in pages. Writes nothing.
 *
 * @param untried of that run. @throws StoreUnavailable
 */
export async function* recipients(
  store: Store,
  selection: RecipientSelection,
  { untried, kept }: Pick<RunCount, 'untried' | 'kept'>,
): AsyncIterable<Reader[]> {
  let left = untried
  const isMeant = ({ turn }: Prospect) => {
    if (turn === 'first') left -= 1
    return turn === 'again' || (turn === 'first' && left >= 0)
  }
  for await (const page of kept?.pages() ?? prospects(store, selection))
    yield page.filter(isMeant).map(({ email, subscribedAt, language, firstName }) => {
      return { email, subscribedAt, language, firstName }
    })
}
