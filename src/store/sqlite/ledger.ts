import { firstNameIn } from '../../people/first-name.ts'
import { languageIn } from '../../people/known-fields.ts'
import { extraOf, nobody, whyNotMailed } from '../../people/person.ts'
import { unreadable } from '../../people/stored.ts'
import { isMailable } from '../../shared/mailable.ts'
import {
  type ClaimedDelivery,
  type ClaimWanted,
  type DeliveryResult,
  type DeliveryStatus,
  type Enlisted,
  endedStatuses,
} from '../delivery-ledger.ts'
import { sqliteAnnouncements } from './announcements.ts'
import type { Sql } from './connection.ts'
import { sqliteDeliveries, timeOf } from './deliveries.ts'
import { noteTold } from './event-rows.ts'
import type { OpenList } from './open-list.ts'
import { type Persons, personsIn } from './persons.ts'
import { writeOwned } from './run-lock.ts'

/**
 * The deliveries of announcements: one row for each recipient of each announcement, by the number that
 * somebody gets when they come on the list. This file writes them.
 * A method that takes an `owner` throws `LockLost`, and changes nothing, unless that owner holds the
 * run lock at that moment; only `record` does not ask, since it notes what has happened. Each method
 * throws StoreUnavailable.
 */
export const sqliteLedger = (list: OpenList) => ({
  ...sqliteAnnouncements(list),
  ...sqliteDeliveries(list),
  ...queueing(list),
  ...sending(list),
})

/** What comes into the queue. */
function queueing(list: OpenList) {
  return {
    /**
     * Gives a row to each of these people without one, except those forgotten since the list was read:
     * a `queued` row, or a `suppressed` one if they are left out. Those who were left out for the
     * reason that is given with them are decided again: they are queued, or left out for another.
     *
     * @param people a few hundred at most, none from after the cut-off.
     * @returns how many rows are new.
     */
    enlist: (owner: string, id: string, people: readonly Enlisted[]): Promise<number> =>
      writeOwned(
        list,
        owner,
        ({ sql }, now) => people.filter((one) => enlist(sql, id, one, now)).length,
      ),

    /** Makes rows that an earlier owner left `sending` `uncertain`. @returns how many. */
    settle: (owner: string, id: string): Promise<number> =>
      writeOwned(list, owner, ({ sql }, now) => settle(sql, owner, id, now)),

    /**
     * Puts all rows of a status back in the queue, due now and as tried before, even those that were
     * restored from a copy and had no try here. @returns how many.
     */
    requeue: (owner: string, id: string, status: 'failed' | 'uncertain'): Promise<number> =>
      writeOwned(list, owner, ({ sql }, now) => requeue(sql, id, status, now)),
  }
}

/** What leaves it. */
function sending(list: OpenList) {
  return {
    /**
     * Takes rows from the queue, in their turn: they are `sending`, on disk, before this resolves, with
     * one more try. Recipients who may not be mailed become `suppressed` instead and are not given, so
     * there may be fewer than wanted. None given means that none is due now.
     *
     * @param ended is noted in the same transaction, as by `record`; by itself if the lock is lost.
     *   So the caller knows of every row that is `sending`.
     */
    async claim(
      owner: string,
      id: string,
      { limit, which }: ClaimWanted,
      ended: readonly DeliveryResult[] = [],
    ): Promise<ClaimedDelivery[]> {
      for (let results = ended; ; results = []) {
        const { claimed, isMore } = await writeOwned(
          list,
          owner,
          (persons, now) => claim(persons, { owner, id, limit, which, now }),
          (persons) => note(persons, owner, id, results),
        )
        if (claimed.length > 0 || !isMore) return claimed
      }
    },

    /**
     * Notes how sending ended. A row that this owner did not claim last, or that was forgotten
     * meanwhile, stays as it is; one that was declared `uncertain` meanwhile gets its true end.
     */
    record: (owner: string, id: string, results: readonly DeliveryResult[]): Promise<void> =>
      list.write((sql) => note(personsIn({ sql, ids: list.ids }), owner, id, results)),

    /** When the next row that was tried before is due, if any is queued. */
    nextRetry: (id: string): Promise<Date | undefined> => list.read((sql) => nextRetry(sql, id)),
  }
}

function nextRetry(sql: Sql, id: string): Date | undefined {
  const row = sql(`
    SELECT turn FROM deliveries WHERE announcement = ? AND status = 'queued' AND (tries > 0) = 1
    ORDER BY turn LIMIT 1`).get(id)
  return row && new Date(Number(row.turn))
}

/** @returns whether they have a row by it. */
function enlist(
  sql: Sql,
  id: string,
  { number, turn = 0, leftOut, wasLeftOutAs }: Enlisted,
  now: string,
): boolean {
  const status = leftOut ? 'suppressed' : 'queued'
  const row = [status, turn, now, leftOut ?? null] as const
  const { changes: added } = sql(`
    INSERT INTO deliveries (announcement, number, status, turn, changedAt, standing)
    SELECT ?, number, ?, ?, ?, ? FROM persons WHERE number = ? ON CONFLICT DO NOTHING`).run(
    ...[id, ...row, number],
  )
  if (added > 0 || wasLeftOutAs === undefined || wasLeftOutAs === leftOut) return added > 0
  // Who was tried before they were left out counts as tried.
  sql(`
    UPDATE deliveries SET status = ?, turn = ?, changedAt = ?, standing = ?
    WHERE announcement = ? AND number = ? AND status = 'suppressed' AND standing = ?`).run(
    ...[...row, id, number, wasLeftOutAs],
  )
  return false
}

function settle(sql: Sql, owner: string, id: string, now: string): number {
  const isLeft = `announcement = ? AND status = 'sending' AND owner <> ?`
  if (!sql(`SELECT 1 FROM deliveries WHERE ${isLeft} LIMIT 1`).get(id, owner)) return 0
  // Letters that left count from the last one on, though the clock was set back since.
  const last = timeOf(sql('SELECT max(changedAt) AS last FROM deliveries').get()?.last)
  const at = last > new Date(now) ? last.toISOString() : now
  const settled = sql(`
    UPDATE deliveries SET status = 'uncertain', changedAt = ?, turn = ? WHERE ${isLeft}`)
  return Number(settled.run(at, Date.parse(at), id, owner).changes)
}

function requeue(sql: Sql, id: string, status: DeliveryStatus, now: string): number {
  const back = sql(`
    UPDATE deliveries SET status = 'queued', turn = ?, changedAt = ?, owner = NULL,
      tries = max(1, tries)
    WHERE announcement = ? AND status = ?`)
  return Number(back.run(Date.parse(now), now, id, status).changes)
}

interface Claiming extends ClaimWanted {
  readonly owner: string
  readonly id: string
  /** As it is stored. */
  readonly now: string
}

/** How many one transaction passes over, since visitors wait for its end. */
const MOST_PASSED_OVER = 500

/**
 * Reads with a row how its person stands, and what their letter needs to know. @returns also whether there
 * may be more that are due.
 */
function claim(
  persons: Persons,
  { owner, id, limit, which, now }: Claiming,
): { readonly claimed: ClaimedDelivery[]; readonly isMore: boolean } {
  const { sql } = persons
  const [isTried, most] = which === 'tried' ? [1, Date.parse(now)] : [0, Number.MAX_SAFE_INTEGER]
  const due = sql(`
    SELECT number, tries FROM deliveries
    WHERE announcement = ? AND status = 'queued' AND (tries > 0) = ? AND turn <= ?
    ORDER BY turn, number LIMIT 1`)
  const take = sql(`
    UPDATE deliveries SET status = ?, tries = ?, changedAt = ?, owner = ?, standing = ?
    WHERE announcement = ? AND number = ?`)
  const claimed: ClaimedDelivery[] = []
  let [isMore, passedOver] = [true, 0]
  while (claimed.length < limit && passedOver < MOST_PASSED_OVER) {
    const row = due.get(id, isTried, most)
    isMore = row !== undefined
    if (!row) break
    const [number, tries] = [Number(row.number), Number(row.tries)]
    const { person = unreadable, addressId = '' } = persons.numbered(number) ?? {}
    const { email = '' } = person
    const isSendable = email !== '' && isMailable(email)
    const standing = isSendable ? whyNotMailed(person)?.standing : 'unmailable'
    if (standing) {
      take.run('suppressed', tries, now, null, standing, id, number)
      passedOver += 1
      continue
    }
    take.run('sending', tries + 1, now, owner, null, id, number)
    const extra = extraOf(person)
    const known = { language: languageIn(extra), firstName: firstNameIn(extra) }
    claimed.push({ number, addressId, email, tries: tries + 1, ...known })
  }
  return { claimed, isMore }
}

function note(
  persons: Persons,
  owner: string,
  id: string,
  results: readonly DeliveryResult[],
): void {
  const { sql } = persons
  const now = new Date()
  const find = sql(`
    SELECT 1 FROM deliveries WHERE announcement = ? AND number = ? AND owner = ? AND tries = ?
      AND status IN ('sending', 'uncertain')`)
  const update = sql(`
    UPDATE deliveries SET status = ?, tries = ?, answer = coalesce(?, answer), standing = NULL,
      language = coalesce(?, language), changedAt = ?, turn = coalesce(?, turn)
    WHERE announcement = ? AND number = ?`)
  for (const result of results) {
    const { number, tries, at = now } = result
    if (!find.get(id, number, owner, tries)) continue
    const isReturned = result.status === 'returned'
    update.run(
      ...(isReturned ? ['queued', tries - 1] : [result.status, tries]),
      'answer' in result ? result.answer : null,
      ...[result.language ?? null, at.toISOString(), turnAfter(result, at), id, number],
    )
    const { person = nobody, addressId = '' } =
      (result.status === 'sent' && persons.numbered(number)) || {}
    if (person.email !== undefined) noteTold(persons, addressId, person.email)
  }
}

/** Nothing of one that was never begun, which keeps its turn. */
function turnAfter(result: DeliveryResult, at: Date): number | null {
  if (result.status === 'queued') return result.dueAt.getTime()
  return endedStatuses.some((one) => one === result.status) ? at.getTime() : null
}
