import { milestone, milestoneAfter, milestonesIn } from '../notices.ts'
import type { Sql } from './connection.ts'
import { noteOnce } from './notice-rows.ts'

/** What is known of the list's size since the last look. */
interface Seen {
  /** Rows above it are new. */
  readonly lastId: number
  /** Those who signed up and are not quarantined; what others erased meanwhile is still in it. */
  readonly size: number
  /** The next milestone. */
  readonly next: number
}

/** Notices a milestone in the transaction that reaches it. */
export interface GrowthWatch {
  /**
   * To be called in a transaction that added to the list; it costs a look at the new rows alone.
   *
   * @param quarantined how many of them at least do not count.
   * @returns what is to be given to `kept` when that is committed.
   */
  look(sql: Sql, now: Date, quarantined?: number): Seen | undefined
  /** Whether `look` may find anything new. */
  hasGrown(sql: Sql): boolean
  /** What `look` or `begin` saw is on the disk. */
  kept(seen: Seen | undefined): void
  /** Counts everybody, and notes all milestones that they have reached. */
  begin(sql: Sql, now: Date): Seen
}

/** To count a list of millions takes a tenth of a second, in which nobody is answered. */
const SHARE_OF_TIME = 0.05

/**
 * Until it has begun and that was kept, it looks at nothing.
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
    // In vain, as others quarantined or erased somebody: that must not happen again and again.
    if (seen && size < seen.next) mayCountAt = ended + (ended - began) / SHARE_OF_TIME
    for (const number of milestonesIn(size)) noteOnce(sql, milestone(number, size, now))
    return { lastId: lastIdOf(sql), size, next: milestoneAfter(size) }
  }

  return {
    begin,

    look(sql, now, quarantined = 0) {
      if (!seen) return undefined
      // New rows have the highest ids, whichever process added them.
      const found = sql(
        'SELECT count(*) AS added, max(id) AS last FROM documents WHERE id > ?',
      ).get(seen.lastId)
      const added = Number(found?.added)
      const size = seen.size + Math.max(0, added - quarantined)
      // Only here, where it may matter, is everybody counted.
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

/** All on the list but the quarantined. */
function sizeOf(sql: Sql): number {
  const row = sql(`
    SELECT (SELECT count(*) FROM documents) -
      (SELECT count(*) FROM standings WHERE standing = 'quarantined') AS size`).get()
  return Number(row?.size)
}

function lastIdOf(sql: Sql): number {
  return Number(sql('SELECT coalesce(max(id), 0) AS last FROM documents').get()?.last)
}
