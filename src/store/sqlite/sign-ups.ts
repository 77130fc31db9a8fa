import type { AddressIds } from '../../keys/address-id.ts'
import { subscribedAtOf } from '../../people/person.ts'
import { isProbeAddress } from '../../shared/probe-address.ts'
import { type Arrival, replyArrival, requestArrival, signUpArrival } from '../arrival.ts'
import type { Requests } from '../requests.ts'
import { type SignUps, StoreUnavailable } from '../subscriber-store.ts'
import { append, firstIn, lastIn, waiting } from './arrivals.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { originOf } from './list.ts'
import { personsIn } from './persons.ts'

/** Beyond that, and beyond a gigabyte, nothing more is kept: the visitor is told so. */
const MOST_WAITING = 2_000_000
const MOST_BYTES = 2 ** 30
const LOOK_EVERY_MS = 1000

/** Appends what visitors leave; what comes together shares a transaction, and waits for the disk once. */
export function sqliteSignUps(database: SqliteDatabase, addressIds: AddressIds) {
  let [arrived, lookedAt, isFull] = [0, Number.NEGATIVE_INFINITY, false]

  const arriving = database.together<readonly Arrival[]>(async (groups) => {
    const isDue = performance.now() - lookedAt > LOOK_EVERY_MS
    if (isDue) lookedAt = performance.now()
    if (isFull && isDue) isFull = await database.read(isRoomOver)
    if (isFull) throw new StoreUnavailable('Too much waits to be taken in.')
    const arrivals = groups.flat()
    await database.write((sql) => {
      append(sql, arrivals, new Date())
      if (isDue) isFull = isRoomOver(sql)
    })
    arrived += arrivals.length
  })

  const signUps: SignUps = {
    add: (email, notes = {}) =>
      arriving(isProbeAddress(email) ? [] : [signUpArrival(email, notes)]),

    find: (email) =>
      database.read((sql) => {
        const one = personsIn(sql, addressIds).of(addressIds.of(email))
        const subscribedAt = subscribedAtOf(one)
        return subscribedAt && { email, subscribedAt, ...originOf(one) }
      }),

    async count() {
      const row = await database.read((sql) =>
        sql(`
          SELECT (SELECT count(*) FROM documents) -
            (SELECT count(*) FROM documents WHERE ${waiting}) AS n`).get(),
      )
      return Number(row?.n)
    },
  }

  const requestConfirmation: Requests['requestConfirmation'] = (email, asked) =>
    arriving(isProbeAddress(email) ? [] : [requestArrival(email, asked)])

  /** Answers to the question that the page asks: appended too, and counted as they are taken in. */
  const answers = {
    /**
     * What somebody on the list answered, instead of an earlier answer. Nothing is kept for anybody else.
     *
     * @param answer as `readAnswer` gives it.
     * @param key of the sign-up that answers: nothing is kept where another one brought them. Left out
     *   where the operator answers.
     */
    keep: (email: string, answer: string, key?: string): Promise<void> =>
      arriving([replyArrival({ email }, { answer, key })]),

    /**
     * The same by the address id in a letter: for somebody who has confirmed, or is on the list and was
     * sent an announcement.
     */
    keepFromLetter: (addressId: string, answer: string): Promise<void> =>
      arriving([replyArrival({ addressId }, { answer })]),
  }

  return {
    signUps,
    requestConfirmation,
    answers,
    // An empty group is written and synced too, so it fails whenever a sign-up would.
    checkWritable: () => arriving([]),
    /** How many entries came so far. */
    arrived: () => arrived,
  }
}

/** As ids are never used again, no more wait than there are from the first to the last. */
function isRoomOver(sql: Sql): boolean {
  const most = lastIn(sql) - (firstIn(sql) ?? Number.POSITIVE_INFINITY) + 1
  if (most > MOST_WAITING) return true
  if (most < MOST_WAITING / 100) return false
  const row = sql(`
    SELECT avg(octet_length(data) + octet_length(seen)) AS bytes
    FROM (SELECT data, seen FROM documents WHERE ${waiting} ORDER BY id DESC LIMIT 100)`).get()
  return most * Number(row?.bytes ?? 0) > MOST_BYTES
}
