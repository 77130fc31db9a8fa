import { milestone, milestoneAfter, milestonesIn } from '../notices.ts'
import type { Sql } from './connection.ts'
import { noteOnce } from './notice-rows.ts'

/** The list's size at the last look. */
interface Seen {
  /** Rows above it are new. */
  readonly lastId: number
  /** The subscribers without the quarantined; people who were erased since are still in it. */
  readonly size: number
  /** The next milestone. */
  readonly next: number
}

/** Notices a milestone in the transaction that reaches it. */
export interface GrowthWatch {
  /**
   * To be called in a transaction that added to the list; it reads only the new rows.
   *
   * @param quarantined how many of them, at least, do not count.
   * @returns the argument for `kept` after the commit.
   */
  look(sql: Sql, now: Date, quarantined?: number): Seen | undefined
  /** Whether `look` may find anything new. */
  hasGrown(sql: Sql): boolean
  /** To be called once the result of `look` or `begin` is on disk. */
  kept(seen: Seen | undefined): void
  /** Counts the list, and notes all milestones that it has reached. */
  begin(sql: Sql, now: Date): Seen
}

/** Counting a list of millions takes a tenth of a second, in which no request is answered. */
const SHARE_OF_TIME = 0.05

/**
 * It looks at nothing until `begin` and `kept` were called.
 *
 * @param clock in milliseconds.
 */
export function growthWatch(clock = () => performance.now()): GrowthWatch {
  let seen: Seen | undefined
  let mayCountAt = 0

  function begin(sql: Sql, now: Date): Seen {
    const began = clock()
    const size = sizeOf(sql)
    const ended = clock()
    // The count was in vain, since people were quarantined or erased: this must not repeat often.
    if (seen && size < seen.next) mayCountAt = ended + (ended - began) / SHARE_OF_TIME
    for (const number of milestonesIn(size)) noteOnce(sql, milestone(number, size, now))
    return { lastId: lastIdOf(sql), size, next: milestoneAfter(size) }
  }

  return {
    begin,

    look(sql, now, quarantined = 0) {
      if (!seen) return undefined
      // New rows have the highest ids, also those of other processes.
      const found = sql(
        'SELECT count(*) AS added, max(id) AS last FROM documents WHERE id > ?',
      ).get(seen.lastId)
      const added = Number(found?.added)
      const size = seen.size + Math.max(0, added - quarantined)
      // The whole list is counted only here, where it may matter.
      if (size >= seen.next && clock() >= mayCountAt) return begin(sql, now)
      if (added === 0) return undefined
      return { lastId: Number(found?.last), size, next: seen.next }
    },

    hasGrown: (sql) =>
      seen !== undefined && (seen.size >= seen.next || lastIdOf(sql) > seen.lastId),

    kept(now) {
      seen = now ?? seen
    },
  }
}

/** The subscribers without the quarantined. */
function sizeOf(sql: Sql): number {
  const row = sql(`
    SELECT (SELECT count(*) FROM documents) -
      (SELECT count(*) FROM standings WHERE standing = 'quarantined') AS size`).get()
  return Number(row?.size)
}

function lastIdOf(sql: Sql): number {
  return Number(sql('SELECT coalesce(max(id), 0) AS last FROM documents').get()?.last)
}
