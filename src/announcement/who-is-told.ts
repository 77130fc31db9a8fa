import { setImmediate as turn } from 'node:timers/promises'
import { firstNameIn } from '../people/first-name.ts'
import { languageIn, lastYesIn } from '../people/known-fields.ts'
import { mayBeWrittenTo } from '../people/standing.ts'
import { isMailable } from '../shared/mailable.ts'
import {
  type Announcement,
  type Enlisted,
  type LetterTo,
  mayComeBack,
  type NumberRange,
  type Recipient,
} from '../store/delivery-ledger.ts'
import { asksTheSilent } from '../store/letters-that-ask.ts'
import type { DeliveryLedger } from '../store/store.ts'
import { temporaryDatabase } from '../store/temporary-database.ts'
import { leavingOut, wasTold } from './left-out.ts'
import { mailboxGroups, mailboxPlaces, mailboxSchema } from './mailbox-places.ts'
import type { LeavingOut } from './run-options.ts'

/** People whose places are given out at once: few, as the pages of the ledger are. */
const FEW = 100

/** The turn of those who were asked who still wants to be told, and have not answered. */
const LAST = 1

export interface Candidate
  extends Enlisted,
    Pick<Recipient, 'number' | 'email' | 'subscribedAt' | 'standing'> {
  /** Their place in the announcement, where they have one. */
  readonly row?: Pick<LetterTo, 'status' | 'tries' | 'standing'> | undefined
  /** Whether they got another announcement since this one began. */
  readonly gotAnother: boolean
  /** Theirs, as far as it is known. */
  readonly language?: string | undefined
  readonly firstName?: string | undefined
}

/** What decides who is left out, beside the person. */
export interface Deciding extends Omit<LeavingOut, 'alsoWhoGot'> {
  readonly id: string
  /** The announcements whose recipients are left out, and those of them that began after this one. */
  readonly earlier: ReadonlySet<string>
  readonly later: ReadonlySet<string>
  /** When each letter began that asked who still wants to be told. */
  readonly questions: ReadonlyMap<string, Date>
}

/** A candidate who may yet have to take a place among the letters of their mailbox. */
export interface Decided extends Candidate {
  readonly isWaiting: boolean
}

/**
 * Decides whether an announcement leaves somebody out, but for the letters of their mailbox. A row that
 * exists is kept; its `told` is kept too while it still applies. Somebody who was left out for what may
 * be over is decided as if they had no row.
 */
export function decide(one: Recipient, deciding: Deciding): Decided {
  const { number, email, subscribedAt, standing, extra } = one
  const row = one.letters.find(({ announcement }) => announcement === deciding.id)
  const mayBeTold = mayBeWrittenTo(standing)
  const wasLeftOutAs = mayBeTold ? mayComeBack.find((why) => why === row?.standing) : undefined
  const isNew = mayBeTold && (!row || wasLeftOutAs !== undefined)
  let leftOut: Candidate['leftOut']
  // With a row in the queue, a released subscriber would skip the decisions below.
  if (!row && standing === 'quarantined') leftOut = 'quarantined'
  else if ((isNew || row?.standing === 'told') && wasTold(one, deciding.earlier)) leftOut = 'told'
  // Also who has left: they may come back, and the queue would count them until their turn.
  else if ((isNew || !row) && !isMailable(email)) leftOut = 'unmailable'
  else if (isNew) leftOut = hasHeard(one, deciding) ? 'heard' : deciding.leavesOut?.(one)
  const isWaiting = isNew && !leftOut
  return {
    ...{ number, email, subscribedAt, standing, leftOut, wasLeftOutAs, isWaiting },
    turn: isUnanswered(one, deciding) ? LAST : 0 - (deciding.referred?.get(email) ?? 0),
    ...(row && { row }),
    gotAnother: wasTold(one, deciding.later),
    language: languageIn(extra),
    firstName: firstNameIn(extra),
  }
}

function hasHeard(one: Recipient, { silentSince: since }: Deciding): boolean {
  if (since === undefined) return false
  const { subscribedAt, signedUpAt, extra, letters } = one
  const [text, all] = [since.toISOString(), letters.map(({ announcement }) => announcement)]
  const lately = all.filter((_, i) => (letters[i]?.changedAt ?? '') >= text)
  // An import may have given an earlier time to somebody who signed up at the page since then.
  const said = [subscribedAt, signedUpAt, lastYesIn(extra)]
  return said.some((at) => at && at >= since) || wasTold(one, new Set(lately))
}

function isUnanswered(one: Recipient, { questions }: Deciding): boolean {
  return one.letters.some(({ announcement }) => {
    const begunAt = questions.get(announcement)
    return begunAt && wasTold(one, new Set([announcement])) && lastSaid(one) < begunAt
  })
}

/** When somebody last said by themselves that they want to be told. */
function lastSaid({ subscribedAt, extra }: Recipient): Date {
  const yes = lastYesIn(extra)
  return yes && yes > subscribedAt ? yes : subscribedAt
}

/**
 * Decides for everybody of a range whether an announcement leaves them out, in their turn: as they came
 * on the list, but those who referred the most friends come first where that is asked for, and those who
 * did not answer a question come last. Who gets the places of a mailbox is known when all were seen:
 * until then they are in a temporary file. Memory is bounded, and the event loop has its turn between
 * batches.
 *
 * @throws StoreUnavailable
 */
export async function* candidates(
  ledger: DeliveryLedger,
  id: string,
  leaving: LeavingOut,
  range: NumberRange,
  atOnce = FEW,
): AsyncIterable<Candidate[]> {
  const deciding = await decidingFor(ledger, id, leaving)
  const db = temporaryDatabase(`
    CREATE TABLE seen (turn INTEGER, number INTEGER, json TEXT NOT NULL, mailboxes INTEGER,
      PRIMARY KEY (turn, number)) STRICT, WITHOUT ROWID;
    ${mailboxSchema}`)
  try {
    const groups = mailboxGroups()
    const see = db.prepare('INSERT INTO seen VALUES (?, ?, ?, ?)')
    for await (const page of ledger.everybody(range)) {
      for (const one of page) {
        const decided = decide(one, deciding)
        const { isWaiting, turn: of = 0 } = decided
        const group = isWaiting || hasPlace(decided) ? groups.note(one.email) : null
        const json = JSON.stringify({ ...decided, subscribedAt: Number(one.subscribedAt) })
        see.run(of, one.number, json, group)
      }
      await turn()
    }

    const places = mailboxPlaces(db)
    const crowded = groups.crowded()
    const crowd = db.prepare(`
      SELECT json FROM seen WHERE mailboxes IN (SELECT value FROM json_each(?))`)
    for (const { json } of crowd.iterate(JSON.stringify([...crowded]))) {
      const one: Decided = JSON.parse(String(json))
      if (one.isWaiting) places.expect(one.email)
      else places.given(one.email)
    }

    const next = db.prepare(`
      SELECT turn, number, json, mailboxes FROM seen WHERE (turn, number) > (?, ?) ORDER BY turn, number LIMIT ?`)
    // As arrays: each row that is an object leaves a hidden class in V8's memory.
    next.setReturnArrays(true)
    for (let last = { turn: Number.MIN_SAFE_INTEGER, number: 0 }; ; ) {
      const rows = next.all(last.turn, last.number, atOnce) as unknown as SeenRow[]
      if (rows.length === 0) return
      yield rows.map(([, , json, mailboxes]): Candidate => {
        const one = JSON.parse(json)
        one.subscribedAt = new Date(one.subscribedAt)
        if (one.isWaiting && crowded.has(Number(mailboxes)) && !places.take(one.email))
          one.leftOut = 'mailbox'
        return one
      })
      const [of, number] = rows.at(-1) as SeenRow
      last = { turn: of, number }
      await turn()
    }
  } finally {
    db.close()
  }
}

type SeenRow = [turn: number, number: number, json: string, mailboxes: number | null]

/** Whether a letter to them is one to their mailbox already. */
const hasPlace = ({ row }: Candidate) =>
  row !== undefined && row.status !== 'suppressed' && row.status !== 'failed'

/** @throws StoreUnavailable */
export async function decidingFor(
  ledger: DeliveryLedger,
  id: string,
  { alsoWhoGot = [], ...leaving }: LeavingOut,
): Promise<Deciding> {
  const earlier = await leavingOut(ledger, id, alsoWhoGot)
  const announcements = await ledger.announcements()
  const own = announcements.find((one) => one.id === id)
  const isLater = ({ id, begunAt }: Announcement) =>
    own && begunAt > own.begunAt && earlier.includes(id)
  const questions = announcements.filter((one) => asksTheSilent(one.id) && one.id !== id)
  return {
    ...leaving,
    id,
    earlier: new Set(earlier),
    later: new Set(announcements.filter(isLater).map((one) => one.id)),
    questions: new Map(questions.map((one) => [one.id, one.begunAt])),
  }
}
