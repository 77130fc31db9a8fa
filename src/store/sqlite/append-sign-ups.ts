import type { SignUpNotes } from '../../people/changes.ts'
import { subscribedAtOf } from '../../people/person.ts'
import type { Asked } from '../../people/request.ts'
import { isProbeAddress } from '../../shared/probe-address.ts'
import type { Subscriber } from '../../shared/subscriber.ts'
import { type Arrival, replyArrival, requestArrival, signUpArrival } from '../arrival.ts'
import type { Origin } from '../subscriber-list.ts'
import { StoreUnavailable } from '../subscriber-store.ts'
import { append, firstIn, lastIn, waiting } from './arrivals.ts'
import type { Sql } from './connection.ts'
import { originOf } from './list.ts'
import type { OpenList } from './open-list.ts'

/** Beyond that, and beyond a gigabyte, nothing more is kept: the visitor is told so. */
const MOST_WAITING = 2_000_000
const MOST_BYTES = 2 ** 30
const LOOK_EVERY_MS = 1000

/** What visitors leave is appended, and taken in later. */
export function sqliteSignUps(list: OpenList) {
  const arriving = arrivingIn(list)
  return {
    signUps: signUpsOf(list, arriving),

    /**
     * Stores that an address was left: one row for each time, for known and new addresses alike, so
     * that nothing has to be looked up. Resolves only when the row would survive a power failure.
     *
     * @param email as `parseEmail` returns it. @throws StoreUnavailable
     */
    requestConfirmation: (email: string, asked: Asked): Promise<void> =>
      arriving(isProbeAddress(email) ? [] : [requestArrival(email, asked)]),

    replies: repliesBy(arriving),
    // An empty group is written and synced too, so it fails whenever a sign-up would.
    checkWritable: () => arriving([]),
  }
}

type Arriving = (arrivals: readonly Arrival[]) => Promise<void>

/** What comes together shares a transaction, and waits for the disk once. */
function arrivingIn(list: OpenList): Arriving {
  let [lookedAt, isFull] = [Number.NEGATIVE_INFINITY, false]

  return list.together(async (groups) => {
    const isDue = performance.now() - lookedAt > LOOK_EVERY_MS
    if (isDue) lookedAt = performance.now()
    if (isFull && isDue) isFull = await list.read(isRoomOver)
    if (isFull) throw new StoreUnavailable('Too much waits to be taken in.')
    await list.write((sql) => {
      append({ sql, ids: list.ids }, groups.flat())
      if (isDue) isFull = isRoomOver(sql)
    })
  })
}

/** Stores subscribers, one address at a time. */
function signUpsOf(list: OpenList, arriving: Arriving) {
  return {
    /**
     * Appends a sign-up; nothing of what is known is looked up. As it is taken in, a known address keeps
     * its time, and the standings that `isLiftedBySignUp` names are lifted. A sign-up with signs of a
     * robot instead quarantines an address that is new or whose standing it would lift, and changes no
     * other address. The addresses of a check of the site are never stored, here or in an import.
     * Resolves only when the sign-up would survive a power failure.
     *
     * @param email as `parseEmail` returns it. @param notes what was seen of the sign-up.
     * @throws StoreUnavailable when that cannot be promised; it may be tried again. On a disk that
     *   wrote but failed to sync, it can turn out to have been kept all the same.
     */
    add: (email: string, notes: SignUpNotes = {}): Promise<void> =>
      arriving(isProbeAddress(email) ? [] : [signUpArrival(email, notes)]),

    /** The subscriber with this address, if there is one. @throws StoreUnavailable */
    find: (email: string): Promise<(Subscriber & Origin) | undefined> =>
      list.readPersons((persons) => {
        const one = persons.of(list.ids.of(email))
        const subscribedAt = subscribedAtOf(one)
        return subscribedAt && { email, subscribedAt, ...originOf(one) }
      }),

    /** How many subscribers there are, with those who unsubscribed. @throws StoreUnavailable */
    async count(): Promise<number> {
      const row = await list.read((sql) => sql('SELECT count(number) AS n FROM persons').get())
      return Number(row?.n)
    },
  }
}

/** Replies to what the page asks: appended too, and counted as they are taken in. */
function repliesBy(arriving: Arriving) {
  return {
    /**
     * What somebody on the list replied, instead of an earlier reply. Nothing is kept for anybody else.
     *
     * @param reply as `replyTo` gives it.
     * @param key of the sign-up that replies: nothing is kept where another one brought them. Left out
     *   where the operator replies.
     */
    keep: (email: string, reply: string, key?: string): Promise<void> =>
      arriving([replyArrival({ email }, { answer: reply, key })]),

    /**
     * The same by the address id in a letter: for somebody who has confirmed, or is on the list and was
     * sent an announcement.
     */
    keepFromLetter: (addressId: string, reply: string): Promise<void> =>
      arriving([replyArrival({ addressId }, { answer: reply })]),
  }
}

/**
 * As ids are never used again, no more wait than there are from the first to the last: only where these
 * are too many, since what was found elsewhere has ids as well, each is counted.
 */
function isRoomOver(sql: Sql): boolean {
  const most = lastIn(sql) - (firstIn(sql) ?? Number.POSITIVE_INFINITY) + 1
  const count = sql(`SELECT count(*) AS n FROM documents WHERE ${waiting}`)
  return areTooMany(sql, most) && areTooMany(sql, Number(count.get()?.n))
}

function areTooMany(sql: Sql, number: number): boolean {
  if (number > MOST_WAITING) return true
  if (number < MOST_WAITING / 100) return false
  const row = sql(`
    SELECT avg(octet_length(data) + octet_length(seen)) AS bytes
    FROM (SELECT data, seen FROM documents WHERE waits IS NOT NULL ORDER BY id DESC LIMIT 100)`).get()
  return number * Number(row?.bytes ?? 0) > MOST_BYTES
}
