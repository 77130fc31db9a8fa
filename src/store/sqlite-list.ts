import type { StatementSync } from 'node:sqlite'
import type { AddressIds } from '../shared/address-id.ts'
import { isCheckAddress } from '../shared/check-address.ts'
import type { SqliteDatabase } from './sqlite-database.ts'
import type { ImportOutcome, SubscriberList, TimeRange } from './subscriber-list.ts'

const PAGE = 100

/** The order of sign-up, for `stream` and for counting a range of it. */
export function listSchema(inCollection: string): string {
  return `CREATE INDEX IF NOT EXISTS "sign-ups in order where ${inCollection.replaceAll('"', '""')}"
    ON documents (data ->> 'subscribedAt', id) WHERE ${inCollection};`
}

/** @param inCollection the SQL that tells our documents. */
export function sqliteList(
  database: SqliteDatabase,
  addressIds: AddressIds,
  collection: string,
  inCollection: string,
): SubscriberList {
  const ours = `FROM documents WHERE ${inCollection}`
  const time = `data ->> 'subscribedAt'`
  const row = `SELECT id, data ->> 'email', ${time} ${ours} AND ${time}`

  return {
    async *stream(range = {}) {
      const { since, until } = bounds(range)
      if (since >= until) return
      let last = { at: since, id: 0 }
      for (;;) {
        const { at, id } = last
        // Pages, not one long read: a read that lasts keeps the write-ahead log growing. Whoever came
        // at the same moment is asked for alone: SQLite finds a beginning by one column only, and
        // an import may bring a million with one time.
        const page = await database.read((sql) => {
          const same = rows(sql(`${row} = ? AND id > ? ORDER BY id LIMIT ${PAGE}`), at, id)
          if (same.length > 0) return same
          return rows(
            sql(`${row} > ? AND ${time} < ? ORDER BY ${time}, id LIMIT ${PAGE}`),
            ...[at, until],
          )
        })
        if (page.length === 0) return
        for (const [id, email, at] of page) {
          last = { at, id }
          yield { email, subscribedAt: new Date(at) }
        }
      }
    },

    async countIn(range) {
      const { since, until } = bounds(range)
      const row = await database.read((sql) =>
        sql(`
          SELECT count(*) AS subscribers ${ours}
            AND data ->> 'subscribedAt' >= ? AND data ->> 'subscribedAt' < ?`).get(since, until),
      )
      return Number(row?.subscribers)
    },

    importAll: (subscribers) =>
      database.write((sql) => {
        const isForgotten = sql(
          `SELECT 1 FROM suppressions WHERE addressId = ? AND reason = 'forgotten'`,
        )
        const isKnown = sql(`SELECT 1 ${ours} AND data ->> 'email' = ?`)
        const insert = sql(`
          INSERT INTO documents (id, collection, data)
          SELECT coalesce(max(id), 0) + 1, '${collection}',
            json_object('email', :email, 'subscribedAt', :subscribedAt) FROM documents
          WHERE true
          ON CONFLICT (data ->> 'email') WHERE ${inCollection} DO UPDATE SET data = excluded.data
            WHERE excluded.data ->> 'subscribedAt' < data ->> 'subscribedAt'`)
        return subscribers.map(({ email, subscribedAt }): ImportOutcome => {
          if (isCheckAddress(email)) return 'known'
          if (isForgotten.get(addressIds.of(email))) return 'forgotten'
          const known = isKnown.get(email)
          insert.run({ email, subscribedAt: subscribedAt.toISOString() })
          return known ? 'known' : 'added'
        })
      }),
  }
}

type Row = [id: number, email: string, subscribedAt: string]

/** As an object, each would bring a hidden class of its own, which outlives it by far. */
function rows(statement: StatementSync, ...parameters: (string | number)[]): Row[] {
  statement.setReturnArrays(true)
  return statement.all(...parameters) as unknown as Row[]
}

/** Times as they are kept: texts that sort as the times do. */
function bounds({ since, until }: TimeRange) {
  return { since: since?.toISOString() ?? '', until: until?.toISOString() ?? '~' }
}
