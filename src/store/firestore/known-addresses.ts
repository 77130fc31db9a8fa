import type { DatabaseSync } from 'node:sqlite'
import { temporaryDatabase } from '../temporary-database.ts'
import { addressScan, subscribersAmong } from './address-scan.ts'
import type { FirestoreConnection } from './connection.ts'
import { type FirestoreRecords, microseconds } from './records.ts'

/**
 * Looks up the first sign-up of addresses, in microseconds; unknown addresses are left out.
 * @throws StoreUnavailable
 */
export type KnownAddresses = (emails: readonly string[]) => Promise<Map<string, number>>

/**
 * Looks up each address, until an import has made as many lookups as there are documents. Then it
 * reads all documents once into a temporary file and looks up there, which is cheaper. Later
 * sign-ups are merged on reading, as always.
 */
export function knownAddresses(
  connection: FirestoreConnection,
  records: FirestoreRecords,
): KnownAddresses {
  let asked = 0
  let all: DatabaseSync | undefined

  async function readAll(): Promise<DatabaseSync> {
    const db = temporaryDatabase(
      'CREATE TABLE known (email TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID',
    )
    const insert = db.prepare('INSERT INTO known VALUES (?, ?)')
    for await (const { email, at } of subscribersAmong(addressScan(connection, records)))
      insert.run(email, microseconds(at))
    db.exec('COMMIT')
    return db
  }

  async function ask(emails: readonly string[]): Promise<[string, number][]> {
    const found = await records.signUps(emails)
    return [...found].flatMap(([email, { first }]): [string, number][] =>
      first ? [[email, microseconds(first)]] : [],
    )
  }

  return async (emails) => {
    if (!all) {
      asked += emails.length
      const documents = await connection.use(() => records.collection.count().get())
      if (asked < documents.data().count) return new Map(await ask(emails))
      all = await readAll()
    }
    const find = all.prepare('SELECT at FROM known WHERE email = ?')
    return new Map(
      emails.flatMap((email): [string, number][] => {
        const row = find.get(email)
        return row ? [[email, Number(row.at)]] : []
      }),
    )
  }
}
