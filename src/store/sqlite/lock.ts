import { type LockHolder, LockLost, type Run, type RunLock } from '../run-lock.ts'
import { notesIn, notesKept, notesText } from '../run-notes.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'

export function sqliteLock(database: SqliteDatabase): RunLock {
  return {
    acquire: (run, leaseMs, insteadOf) =>
      database.write((sql) => {
        const { owner, host, pid, announcement = '', number, notes } = run
        const held = heldBy(sql)
        if (held && held.owner !== insteadOf) return held
        const last = lastRun(sql, announcement)
        const next = (last?.number ?? 0) + 1
        if (last && number !== undefined && number !== next) return last
        const data = notesText({ ...(last && notesKept(last.notes)), ...notes })
        sql('UPDATE runs SET until = NULL WHERE until IS NOT NULL').run()
        sql(`
          INSERT OR REPLACE INTO runs (announcement, number, owner, host, pid, until, data)
          VALUES (?, ?, ?, ?, ?, ?, ?)`).run(
          ...[announcement, next, owner, host, pid, now(leaseMs), data],
        )
        return run
      }),

    holder: () => database.read(heldBy),

    run: (announcement) => database.read((sql) => lastRun(sql, announcement)),

    abandoned: (before) =>
      database.read((sql) => {
        const left = sql('SELECT announcement FROM runs WHERE until <= ? AND until <= ?')
        const row = left.get(before.toISOString(), now())
        return row && String(row.announcement)
      }),

    async renew(owner, leaseMs, notes) {
      const { changes } = await database.write((sql) =>
        sql(`
          UPDATE runs SET until = ?, data = coalesce(?, data)
          WHERE until IS NOT NULL AND owner = ? AND until > ?`).run(
          now(leaseMs),
          notes ? notesText(notes) : null,
          owner,
          now(),
        ),
      )
      if (changes === 0) throw new LockLost('Another run has the lock.')
    },

    async release(owner, notes) {
      const data = notes ? notesText(notes) : null
      await database.write((sql) =>
        sql(`
          UPDATE runs SET until = NULL, data = coalesce(?, data)
          WHERE until IS NOT NULL AND owner = ?`).run(data, owner),
      )
    },
  }
}

/** As anybody may have written them: numbers beyond these cannot be read. */
const columns = `announcement, owner, host, data,
  iif(pid BETWEEN 1 AND 4294967295, pid, 0) AS pid,
  iif(number BETWEEN 1 AND 1e9, number, 0) AS number`

/** A lease that ends later is from before the clock was set back: a run that lives has renewed it since. */
const LONGEST_MS = 3_600_000
const isLeased = 'until > ? AND until <= ?'

function heldBy(sql: Sql): LockHolder | undefined {
  const held = sql(`SELECT ${columns} FROM runs WHERE ${isLeased}`).get(now(), now(LONGEST_MS))
  return held && holderIn(held)
}

function lastRun(sql: Sql, announcement: string): Run | undefined {
  const row = sql(`SELECT ${columns}, ${isLeased} AS isHeld FROM runs WHERE announcement = ?`).get(
    ...[now(), now(LONGEST_MS), announcement],
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

export function holdsLock(sql: Sql, owner: string, at: string): boolean {
  const held = sql('SELECT 1 FROM runs WHERE until IS NOT NULL AND owner = ? AND until > ?')
  return held.get(owner, at) !== undefined
}

function now(laterMs = 0): string {
  return new Date(Date.now() + laterMs).toISOString()
}
