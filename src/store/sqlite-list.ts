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

  return {
    async *stream(range = {}) {
      const { since, until } = bounds(range)
      let last = { subscribedAt: since, id: 0 }
      for (;;) {
        const { subscribedAt, id } = last
        // Pages, not one long read: a read that lasts keeps the write-ahead log growing. SQLite finds
        // the beginning of one by BETWEEN only; comparing pairs, it would read all that is before.
        const page = await database.read((sql) => {
          const statement = sql(`
            SELECT id, data ->> 'email', data ->> 'subscribedAt' ${ours}
              AND data ->> 'subscribedAt' BETWEEN :subscribedAt AND :until
              AND (data ->> 'subscribedAt', id) > (:subscribedAt, :id)
              AND data ->> 'subscribedAt' < :until
            ORDER BY data ->> 'subscribedAt', id LIMIT ${PAGE}`)
          // As an object each row would bring a hidden class of its own, which outlives it by far.
          statement.setReturnArrays(true)
          return statement.all({ subscribedAt, id, until }) as unknown as [number, string, string][]
        })
        for (const [id, email, subscribedAt] of page) {
          last = { subscribedAt, id }
          yield { email, subscribedAt: new Date(subscribedAt) }
        }
        if (page.length < PAGE) return
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

/** Times as they are kept: texts that sort as the times do. */
function bounds({ since, until }: TimeRange) {
  return { since: since?.toISOString() ?? '', until: until?.toISOString() ?? '~' }
}
