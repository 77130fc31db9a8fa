import type { Announcement, LetterRecord } from '../delivery-ledger.ts'
import type { Sql } from './connection.ts'
import { timeOf } from './deliveries.ts'
import { countedTally, keptCounts } from './delivery-rows.ts'
import type { OpenList } from './open-list.ts'
import { writeOwned } from './run-lock.ts'
import { inLine } from './taking-in.ts'

/** The part of the ledger that has a row for each announcement. */
export function sqliteAnnouncements(list: OpenList) {
  return {
    /** Newest first. */
    announcements: () =>
      list.read((sql) =>
        sql('SELECT * FROM announcements ORDER BY begunAt DESC')
          .all()
          .map((row) => toAnnouncement(sql, row)),
      ),

    findAnnouncement: (id: string) => list.read((sql) => find(sql, id)),

    /** The tally of its rows as they are: the proof of the one that is kept. */
    counted: (id: string) => list.read((sql) => countedTally(sql, id)),

    /**
     * Begins an announcement for all who are on the list; if it has begun already, only notes the
     * letter as it is now.
     *
     * @param includesNew moves the cut-off of one whose recipients all have their row, so that people
     *   who came since can be enlisted.
     */
    begin: (
      owner: string,
      id: string,
      { subject, digest }: LetterRecord,
      includesNew = false,
    ): Promise<Announcement> =>
      writeOwned(list, owner, ({ sql }, now) => {
        sql(`
          INSERT INTO announcements (id, subject, digest, begunAt, upTo)
          VALUES (?, ?, ?, ?, ${lastNumber})
          ON CONFLICT DO UPDATE SET subject = excluded.subject, digest = excluded.digest`).run(
          ...[id, subject, digest, now],
        )
        // One that was interrupted before all had their row goes on to its own cut-off.
        if (includesNew)
          sql(`
            UPDATE announcements SET upTo = ${lastNumber}, eligible = NULL
            WHERE id = ? AND eligible IS NOT NULL`).run(id)
        return found(sql, id)
      }),

    /**
     * Counts the eligible and keeps that number with the announcement: the people up to the cut-off,
     * with or without a row, and the rows of those who were forgotten since.
     */
    countEligible: (owner: string, id: string): Promise<Announcement> =>
      writeOwned(list, owner, ({ sql }) => {
        sql(`
          UPDATE announcements SET eligible =
            (SELECT count(*) FROM persons WHERE number <= upTo) + (
              SELECT count(*) FROM deliveries
              WHERE announcement = :id AND status = 'forgotten')
          WHERE id = :id`).run({ id })
        return found(sql, id)
      }),
  }
}

/** That of who came last, in SQL: of those who wait before them, the number would be lower. */
const lastNumber = `(SELECT min(
  (SELECT coalesce(max(number), 0) FROM persons),
  (SELECT coalesce(min(id) - 1, 9e15) FROM documents WHERE ${inLine})))`

function find(sql: Sql, id: string): Announcement | undefined {
  const row = sql('SELECT * FROM announcements WHERE id = ?').get(id)
  return row && toAnnouncement(sql, row)
}

/** @throws when there is no such announcement: a mistake of the caller. */
function found(sql: Sql, id: string): Announcement {
  const one = find(sql, id)
  if (!one) throw new Error('There is no such announcement.')
  return one
}

function toAnnouncement(sql: Sql, row: Record<string, unknown>): Announcement {
  const id = String(row.id)
  return {
    id,
    subject: String(row.subject),
    digest: String(row.digest),
    begunAt: timeOf(row.begunAt),
    upTo: Number(row.upTo),
    eligible: row.eligible === null ? undefined : Number(row.eligible),
    ...keptCounts(sql, id),
  }
}
