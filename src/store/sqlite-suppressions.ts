import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AddressIds } from '../shared/address-id.ts'
import { groupCommit } from './group-commit.ts'
import type { Sql, SqliteDatabase } from './sqlite-database.ts'
import { StoreUnavailable } from './subscriber-store.ts'
import type { Suppression, SuppressionList } from './suppression-list.ts'

export const suppressionSchema = `
  CREATE TABLE IF NOT EXISTS suppressions (
    addressId TEXT PRIMARY KEY, reason TEXT NOT NULL, at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS boundTo (fingerprint TEXT NOT NULL) STRICT;`

/** @param inCollection the SQL that tells our documents. @returns the list, and what ends it. */
export function sqliteSuppressions(
  database: SqliteDatabase,
  addressIds: AddressIds,
  inCollection: string,
): { suppressionList: SuppressionList; closeSuppressions: () => Promise<void> } {
  const suppress = (sql: Sql, addressId: string, reason: Suppression['reason']) =>
    sql(`INSERT OR REPLACE INTO suppressions VALUES (?, ?, ?)`).run(
      addressId,
      reason,
      new Date().toISOString(),
    )

  // Whoever has a link may press it thousands of times, and a sync each would stop everybody.
  const unsubscribes = groupCommit<string>((group) => {
    const done = database.writeNow((sql) =>
      ifBound(sql, addressIds, () => {
        // A link that was kept from before must not take the mark off that an import minds.
        const isForgotten = sql(
          `SELECT 1 FROM suppressions WHERE addressId = ? AND reason = 'forgotten'`,
        )
        for (const addressId of new Set(group))
          if (!isForgotten.get(addressId)) suppress(sql, addressId, 'unsubscribed')
      }),
    )
    if (!done) throw notBound()
  })

  const suppressionList: SuppressionList = {
    unsubscribe: (addressId) => unsubscribes.add(addressId),

    async forget(email) {
      const addressId = addressIds.of(email)
      const forgotten = await writeBound(database, addressIds, (sql) => {
        suppress(sql, addressId, 'forgotten')
        const { changes: subscribers } = sql(
          `DELETE FROM documents WHERE ${inCollection} AND data ->> 'email' = ?`,
        ).run(email)
        const rows = sql(`SELECT rowid AS id FROM deliveries WHERE addressId = ?`).all(addressId)
        for (const { id } of rows)
          sql(`
            UPDATE deliveries SET addressId = ?, email = NULL, status = 'forgotten', owner = NULL,
              answer = NULL, changedAt = ? WHERE rowid = ?`).run(
            randomBytes(16).toString('base64url'),
            new Date().toISOString(),
            String(id),
          )
        return { wasSubscriber: subscribers > 0, deliveries: rows.length }
      })
      await emptyLog(database)
      return forgotten
    },

    async suppression(email) {
      const row = await database.read((sql) =>
        sql('SELECT reason, at FROM suppressions WHERE addressId = ?').get(addressIds.of(email)),
      )
      return row && ({ reason: row.reason, at: new Date(String(row.at)) } as Suppression)
    },
  }
  return { suppressionList, closeSuppressions: unsubscribes.close }
}

/**
 * Writes something that names addresses by their ids. With another key than before, nobody who
 * unsubscribed would be recognised, so that is refused.
 */
export async function writeBound<T>(
  database: SqliteDatabase,
  addressIds: AddressIds,
  work: (sql: Sql) => T,
): Promise<T> {
  const done = await database.write((sql) => ifBound(sql, addressIds, work))
  if (!done) throw notBound()
  return done.result
}

function ifBound<T>(
  sql: Sql,
  { fingerprint }: AddressIds,
  work: (sql: Sql) => T,
): { result: T } | undefined {
  const bound = sql('SELECT fingerprint FROM boundTo').get()
  if (!bound) sql('INSERT INTO boundTo VALUES (?)').run(fingerprint)
  else if (bound.fingerprint !== fingerprint) return undefined
  return { result: work(sql) }
}

const notBound = () =>
  new StoreUnavailable('LINK_KEY is not the one that unsubscribes were kept with so far.')

const EMPTY_FOR_MS = 10_000

/** What was erased still stands in the write-ahead log until that is cut. */
async function emptyLog(database: SqliteDatabase): Promise<void> {
  const giveUpAt = performance.now() + EMPTY_FOR_MS
  for (;;) {
    const row = await database.read((sql) => sql('PRAGMA wal_checkpoint(TRUNCATE)').get())
    if (row?.busy === 0) return
    if (performance.now() > giveUpAt)
      throw new StoreUnavailable(
        'The address is erased, but the write-ahead log is in use and still has it; forget it again.',
      )
    await sleep(20)
  }
}
