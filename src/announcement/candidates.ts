import { setImmediate as turn } from 'node:timers/promises'
import { firstNameIn } from '../people/first-name.ts'
import { languageIn, stillInterestedIn } from '../people/known-fields.ts'
import { consentIn } from '../people/pending.ts'
import { mayBeWrittenTo, type Standing } from '../people/standing.ts'
import { askedBy } from '../shared/asked-by-letter.ts'
import { batches } from '../shared/batches.ts'
import { isMailable } from '../shared/mailable.ts'
import { storedTime } from '../shared/stored-time.ts'
import {
  type BroughtBack,
  broughtBack,
  type Delivery,
  type Enlisted,
} from '../store/delivery-ledger.ts'
import type { Store } from '../store/store.ts'
import type { ListedSubscriber } from '../store/subscriber-list.ts'
import { temporaryDatabase } from '../store/temporary-database.ts'
import { leavingOut, toldAmong } from './left-out.ts'
import { mailboxPlaces, mailboxSchema } from './mailbox-places.ts'
import type { LeavingOut } from './recipient-selection.ts'

const TURN = 1000

/** The number of the first of those who go last, beyond that of any other. */
const LAST = 2 ** 40
/** More people than any list has: those with one friend more have a number that is less by this. */
const FRIEND = 2 ** 32
/** More friends than these make no difference, since a number has its end. */
const MOST_FRIENDS = 2 ** 20

export interface Candidate extends Enlisted {
  readonly standing: Standing
  /** Their place in the announcement, where they have one under this address. */
  readonly row?: Pick<Delivery, 'status' | 'tries' | 'standing'> | undefined
  /** Why they were left out, if that may be over: they are decided as if they had no row. */
  readonly wasLeftOutAs?: BroughtBack | undefined
  /** Whether they got another announcement since this one began. */
  readonly gotAnother: boolean
  /** Whether they go last: they were asked who still wants to be told, and have not answered. */
  readonly isLast: boolean
  /** Whether they go before all others, since they brought friends. */
  readonly isFirst: boolean
  /** Theirs, as far as it is known. */
  readonly language?: string | undefined
  readonly firstName?: string | undefined
}

/** What is kept of a subscriber until all of them were seen. */
interface Seen extends Omit<Candidate, 'subscribedAt' | 'leftOut' | 'row' | 'isFirst' | 'isLast'> {
  readonly subscribedAt: number
  readonly leftOut: Candidate['leftOut']
  /** Whether they are to take a place among the letters of their mailbox. */
  readonly isWaiting: boolean
}

/**
 * Decides for each subscriber whether an announcement leaves them out, in order of sign-up; but those
 * who brought the most friends come first where that is asked for, and those who did not answer a
 * question come last. A row
 * that exists is kept; its `told` is kept too while it still applies. Subscribers who were released
 * from a quarantine, or had no place among the letters of their mailbox, are decided as if they had
 * no row: a letter to the mailbox may have been refused since. Who gets the places is known when
 * all subscribers were seen: until then they are in a temporary file. Memory is bounded, and the
 * event loop has its turn between batches.
 *
 * @throws StoreUnavailable
 */
export async function* candidates(
  { ledger, list }: Pick<Store, 'ledger' | 'list'>,
  id: string,
  { alsoWhoGot = [], leavesOut, silentSince, brought }: LeavingOut,
  subscribers: AsyncIterable<ListedSubscriber>,
  batchSize: number,
): AsyncIterable<Candidate[]> {
  const earlier = await leavingOut(ledger, id, alsoWhoGot)
  const announcements = await ledger.announcements()
  const own = announcements.find((one) => one.id === id)
  const later = announcements
    .filter((one) => own && one.begunAt > own.begunAt && earlier.includes(one.id))
    .map((one) => one.id)
  const questions = announcements.filter(
    (one) => askedBy(one.id) === 'still-interested' && one.id !== id,
  )
  const db = temporaryDatabase(`
    CREATE TABLE rows (email TEXT PRIMARY KEY, status TEXT NOT NULL, tries INTEGER NOT NULL, standing TEXT)
      STRICT, WITHOUT ROWID;
    CREATE TABLE seen (number INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT;
    CREATE TABLE heard (email TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    ${mailboxSchema}`)
  try {
    const places = mailboxPlaces(db)
    const addRow = db.prepare('INSERT OR IGNORE INTO rows VALUES (?, ?, ?, ?)')
    const rowOf = db.prepare('SELECT status, tries, standing FROM rows WHERE email = ?')
    const rowWith = (email: string) => rowOf.get(email) as Candidate['row']
    for await (const rows of batches(ledger.deliveries(id), TURN)) {
      for (const { email, status, tries, standing } of rows) {
        if (email === undefined) continue
        addRow.run(email, status, tries, standing ?? null)
        if (status !== 'suppressed' && status !== 'failed') places.given(email)
      }
      await turn()
    }

    const addHeard = db.prepare('INSERT OR IGNORE INTO heard VALUES (?)')
    for await (const letters of batches(silentSince ? ledger.toldSince(silentSince) : [], TURN)) {
      for (const { email } of letters) if (email !== undefined) addHeard.run(email)
      await turn()
    }
    // An import may have given an earlier time to somebody who signed up at the page since then.
    for await (const some of batches(silentSince ? list.signedUpBefore(silentSince) : [], TURN)) {
      for (const { email, signedUpAt } of some)
        if (silentSince && signedUpAt && signedUpAt >= silentSince) addHeard.run(email)
      await turn()
    }
    const heardIn = db.prepare('SELECT 1 FROM heard WHERE email = ?')
    const hasHeard = ({ email, subscribedAt, extra }: ListedSubscriber) =>
      silentSince !== undefined &&
      (subscribedAt >= silentSince ||
        Number(stillInterestedIn(extra) ?? 0) >= silentSince.getTime() ||
        heardIn.get(email) !== undefined)

    const see = db.prepare('INSERT INTO seen VALUES (?, ?)')
    let number = 0
    for await (const batch of batches(subscribers, batchSize)) {
      const emails = batch.map(({ email }) => email)
      const told = await toldAmong(ledger, earlier, emails)
      const toldSince = await toldAmong(ledger, later, emails)
      const asked = await Promise.all(
        questions.map(async ({ id, begunAt }) => ({
          begunAt,
          emails: await ledger.toldAmong([id], emails),
        })),
      )
      const isUnanswered = (one: ListedSubscriber) =>
        asked.some(({ begunAt, emails }) => emails.has(one.email) && lastSaid(one) < begunAt)
      for (const subscriber of batch) {
        const { email, subscribedAt, standing, extra } = subscriber
        const row = rowWith(email)
        const mayBeTold = mayBeWrittenTo(standing)
        const wasLeftOutAs = mayBeTold
          ? broughtBack.find((why) => why === row?.standing)
          : undefined
        const isNew = mayBeTold && (!row || wasLeftOutAs !== undefined)
        let leftOut: Candidate['leftOut']
        // With a row in the queue, a released subscriber would skip the decisions below.
        if (!row && standing === 'quarantined') leftOut = 'quarantined'
        else if ((isNew || row?.standing === 'told') && told.has(email)) leftOut = 'told'
        // Also who has left: they may come back, and the queue would count them until their turn.
        else if ((isNew || !row) && !isMailable(email)) leftOut = 'unmailable'
        else if (isNew) leftOut = hasHeard(subscriber) ? 'heard' : leavesOut?.(subscriber)
        const isWaiting = isNew && !leftOut
        if (isWaiting) places.expect(email)
        number += 1
        const seen: Seen = {
          ...{ email, standing, leftOut, wasLeftOutAs, isWaiting },
          subscribedAt: subscribedAt.getTime(),
          gotAnother: toldSince.has(email),
          language: languageIn(extra),
          firstName: firstNameIn(extra),
        }
        see.run(
          isUnanswered(subscriber)
            ? LAST + number
            : number - FRIEND * Math.min(brought?.get(email) ?? 0, MOST_FRIENDS),
          JSON.stringify(seen),
        )
      }
      await turn()
    }

    const page = db.prepare('SELECT * FROM seen WHERE number > ? ORDER BY number LIMIT ?')
    for (let last = Number.MIN_SAFE_INTEGER; ; ) {
      const rows = page.all(last, batchSize)
      if (rows.length === 0) return
      yield rows.map(({ number, json }): Candidate => {
        const { isWaiting, leftOut, ...one }: Seen = JSON.parse(String(json))
        const why = isWaiting && !places.take(one.email) ? 'mailbox' : leftOut
        return {
          ...one,
          subscribedAt: new Date(one.subscribedAt),
          isFirst: Number(number) < 0,
          isLast: Number(number) > LAST,
          row: isWaiting && !one.wasLeftOutAs ? undefined : rowWith(one.email),
          ...(why && { leftOut: why }),
        }
      })
      last = Number(rows.at(-1)?.number)
      await turn()
    }
  } finally {
    db.close()
  }
}

/** When somebody last said by themselves that they want to be told. */
function lastSaid({ subscribedAt, extra }: ListedSubscriber): Date {
  const times = [storedTime(consentIn(extra)?.confirmedAt), stillInterestedIn(extra)]
  return times.reduce<Date>((last, at) => (at && at > last ? at : last), subscribedAt)
}
