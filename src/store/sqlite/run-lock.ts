import { type LockHolder, LockLost, type NewRun, type Run } from '../run.ts'
import { notesIn, notesKept, notesText, type RunNotes } from '../run-notes.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import type { OpenList } from './open-list.ts'
import type { Persons } from './persons.ts'

/**
 * The runs of announcements. One at a time has the lock, on all machines, since it is stored with the
 * subscribers; of each announcement the last run is kept. Each method throws StoreUnavailable.
 */
export function sqliteLock(database: SqliteDatabase) {
  return {
    /**
     * Takes the lock if it is free, if its lease has run out or if its holder is `insteadOf`, and
     * begins a run of its announcement. What the run before kept for the next one goes on.
     *
     * @param leaseMs how long it is held without `renew`, by the store's clock.
     * @returns its holder now: `run` if it was taken. Where `number` is not the next one, the run that
     *   has been begun instead of it.
     */
    acquire: (run: NewRun, leaseMs: number, insteadOf?: string): Promise<LockHolder> =>
      database.write((sql) => {
        const held = heldBy(sql)
        return held && held.owner !== insteadOf ? held : begin(sql, run, now(leaseMs))
      }),

    /** Its holder now, if there is one. */
    holder: () => database.read(heldBy),

    /** The last run of an announcement. */
    run: (announcement: string) => database.read((sql) => lastRun(sql, announcement)),

    /**
     * Whose last run has the lock, never released it, and had a lease that ended before a time, as
     * after a kill; empty for what is no announcement.
     */
    abandoned: (before: Date): Promise<string | undefined> =>
      database.read((sql) => {
        const left = sql(`
          SELECT announcement FROM runs WHERE NOT (${isLeased}) AND NOT (until > ? AND until <= ?)`)
        const row = left.get(...leasedAt(), before.toISOString(), now())
        return row && String(row.announcement)
      }),

    /**
     * Holds it for another `leaseMs` from now. @param notes in the place of those before.
     * @throws LockLost
     */
    async renew(owner: string, leaseMs: number, notes?: RunNotes): Promise<void> {
      const { changes } = await database.write((sql) =>
        sql(`
          UPDATE runs SET until = ?, data = coalesce(?, data)
          WHERE until IS NOT NULL AND owner = ? AND until > ?`).run(
          ...[now(leaseMs), textOf(notes), owner, now()],
        ),
      )
      if (changes === 0) throw new LockLost('Another run has the lock.')
    },

    /** Releases it; does nothing if another run has it by now. */
    async release(owner: string, notes?: RunNotes): Promise<void> {
      await database.write((sql) =>
        sql(`
          UPDATE runs SET until = NULL, data = coalesce(?, data)
          WHERE until IS NOT NULL AND owner = ?`).run(textOf(notes), owner),
      )
    },
  }
}

/**
 * Does `work` in one transaction while `owner` holds the run lock.
 *
 * @param work gets the time, as it is stored.
 * @param always is done before, in the same transaction, even without the lock.
 * @throws LockLost, StoreUnavailable
 */
export async function writeOwned<T>(
  list: OpenList,
  owner: string,
  work: (persons: Persons, now: string) => T,
  always: (persons: Persons) => void = () => {},
): Promise<T> {
  const done = await list.writePersons((persons) => {
    always(persons)
    const at = now()
    const held = persons.sql(
      'SELECT 1 FROM runs WHERE until IS NOT NULL AND owner = ? AND until > ?',
    )
    return held.get(owner, at) ? { result: work(persons, at) } : undefined
  })
  if (!done) throw new LockLost('Another run has the lock.')
  return done.result
}

const textOf = (notes: RunNotes | undefined) => (notes ? notesText(notes) : null)

function begin(sql: Sql, run: NewRun, until: string): LockHolder {
  const { owner, host, pid, announcement = '', number, notes } = run
  const last = lastRun(sql, announcement)
  const next = (last?.number ?? 0) + 1
  if (last && number !== undefined && number !== next) return last
  const data = notesText({ ...(last && notesKept(last.notes)), ...notes })
  sql('UPDATE runs SET until = NULL WHERE until IS NOT NULL').run()
  sql(`
    INSERT OR REPLACE INTO runs (announcement, number, owner, host, pid, until, data)
    VALUES (?, ?, ?, ?, ?, ?, ?)`).run(announcement, next, owner, host, pid, until, data)
  return run
}

/** As anybody may have written them: numbers beyond these cannot be read. */
const columns = `announcement, owner, host, data,
  iif(pid BETWEEN 1 AND 4294967295, pid, 0) AS pid,
  iif(number BETWEEN 1 AND 1e9, number, 0) AS number`

/** A lease that ends later is from before the clock was set back: a run that lives has renewed it since. */
const LONGEST_MS = 3_600_000

/** Whether the lease of a run has not run out, in SQL, with `leasedAt`. */
export const isLeased = 'until > ? AND until <= ?'
export const leasedAt = (): [string, string] => [now(), now(LONGEST_MS)]

function heldBy(sql: Sql): LockHolder | undefined {
  const held = sql(`SELECT ${columns} FROM runs WHERE ${isLeased}`).get(...leasedAt())
  return held && holderIn(held)
}

function lastRun(sql: Sql, announcement: string): Run | undefined {
  const row = sql(`SELECT ${columns}, ${isLeased} AS isHeld FROM runs WHERE announcement = ?`).get(
    ...[...leasedAt(), announcement],
  )
  return (
    row && {
      ...holderIn(row),
      number: Number(row.number),
      isHeld: row.isHeld === 1,
      notes: notesIn(row.data),
    }
  )
}

function holderIn({ owner, host, pid, announcement }: Record<string, unknown>): LockHolder {
  const of = announcement === '' ? {} : { announcement: String(announcement) }
  return { owner: String(owner), host: String(host), pid: Number(pid), ...of }
}

function now(laterMs = 0): string {
  return new Date(Date.now() + laterMs).toISOString()
}
