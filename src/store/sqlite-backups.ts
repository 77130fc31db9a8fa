import { closeSync, openSync, renameSync, rmSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { AddressIds } from '../shared/address-id.ts'
import type { Subscriber } from '../shared/subscriber.ts'
import type { Backups } from './backups.ts'
import { readCopy, settleCopy } from './sqlite-copy.ts'
import type { SqliteDatabase } from './sqlite-database.ts'
import { writeBound } from './sqlite-suppressions.ts'
import type { SubscriberList } from './subscriber-list.ts'
import { StoreUnavailable } from './subscriber-store.ts'
import type { SuppressionList } from './suppression-list.ts'

const BATCH = 500

export const backupSchema = 'CREATE TABLE IF NOT EXISTS backups (at TEXT NOT NULL) STRICT;'

/** @param inCollection the SQL that tells our documents. */
export function sqliteBackups(
  database: SqliteDatabase,
  store: SubscriberList & SuppressionList,
  addressIds: AddressIds,
  inCollection: string,
): Backups {
  const { fingerprint } = addressIds

  /** Takes over who must not be written to. A sign-up after that is newer, and stays. */
  async function restoreSuppressions(copy: DatabaseSync) {
    const rows = copy.prepare('SELECT addressId, reason, at FROM suppressions').all()
    const entries = new Map(rows.map((row) => [String(row.addressId), row]))
    for await (const { email, subscribedAt } of store.stream()) {
      const entry = entries.get(addressIds.of(email))
      if (!entry) continue
      if (subscribedAt > new Date(String(entry.at))) entries.delete(String(entry.addressId))
      else if (entry.reason === 'forgotten') await store.forget(email)
    }
    for (const batch of batches(entries.values()))
      await writeBound(database, addressIds, (sql) => {
        const insert = sql('INSERT OR IGNORE INTO suppressions VALUES (?, ?, ?)')
        for (const { addressId, reason, at } of batch)
          insert.run(String(addressId), String(reason), String(at))
      })
  }

  async function restoreSubscribers(copy: DatabaseSync) {
    const counts = { added: 0, known: 0, forgotten: 0 }
    const rows = copy.prepare(`
      SELECT data ->> 'email' AS email, data ->> 'subscribedAt' AS subscribedAt
      FROM documents WHERE ${inCollection} ORDER BY id`)
    for (const batch of batches(rows.iterate())) {
      const subscribers = batch.map(
        ({ email, subscribedAt }): Subscriber => ({
          email: String(email),
          subscribedAt: new Date(String(subscribedAt)),
        }),
      )
      for (const outcome of await store.importAll(subscribers)) counts[outcome] += 1
    }
    return counts
  }

  /** Takes over the announcements that the store does not know, each at once when all its rows are there. */
  async function restoreLedger(copy: DatabaseSync): Promise<number> {
    let restored = 0
    for (const row of copy.prepare('SELECT * FROM announcements').all()) {
      const id = String(row.id)
      const known = await database.read((sql) =>
        sql('SELECT 1 FROM announcements WHERE id = ?').get(id),
      )
      if (known) continue
      const rows = copy.prepare('SELECT rowid AS id, * FROM deliveries WHERE announcement = ?')
      for (const batch of batches(rows.iterate(id)))
        await writeBound(database, addressIds, (sql) => {
          const isForgotten = sql(
            `SELECT 1 FROM suppressions WHERE addressId = ? AND reason = 'forgotten'`,
          )
          const insert = sql(`
            INSERT OR IGNORE INTO deliveries
              (announcement, addressId, email, status, tries, dueAt, changedAt, answer)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
          for (const one of batch) {
            const gone = isForgotten.get(String(one.addressId)) !== undefined
            const open = one.status === 'queued' || one.status === 'sending'
            insert.run(
              id,
              gone ? `restored ${one.id}` : String(one.addressId),
              gone ? null : (one.email as string | null),
              gone ? 'forgotten' : open ? 'uncertain' : String(one.status),
              Number(one.tries),
              String(one.dueAt),
              String(one.changedAt),
              gone ? null : open ? 'restored from a copy' : (one.answer as string | null),
            )
          }
        })
      await writeBound(database, addressIds, (sql) =>
        sql(`
          INSERT INTO announcements (id, subject, digest, begunAt, cutOff, eligible)
          VALUES (?, ?, ?, ?, ?, ?)`).run(
          ...([id, row.subject, row.digest, row.begunAt, row.cutOff, row.eligible] as string[]),
        ),
      )
      restored += 1
    }
    return restored
  }

  return {
    async write(file) {
      const unfinished = `${file}.part`
      try {
        // Made first, so that it is nobody else's from the beginning; SQLite fills an empty file.
        closeSync(openSync(unfinished, 'w', 0o600))
        await database.read((sql) => sql('VACUUM INTO ?').run(unfinished))
        settleCopy(unfinished)
        const copy = await readCopy(unfinished, inCollection, fingerprint, (_db, copy) => copy)
        renameSync(unfinished, file)
        await database.write((sql) => {
          sql('DELETE FROM backups').run()
          sql('INSERT INTO backups VALUES (?)').run(new Date().toISOString())
        })
        return copy
      } catch (cause) {
        if (cause instanceof StoreUnavailable) throw cause
        throw new StoreUnavailable(`${file} cannot be written: ${(cause as Error).message}`, {
          cause,
        })
      } finally {
        rmSync(unfinished, { force: true })
      }
    },

    check: (file) => readCopy(file, inCollection, fingerprint, (_db, copy) => copy),

    restore: (file) =>
      readCopy(file, inCollection, fingerprint, async (copy) => {
        await restoreSuppressions(copy)
        const counts = await restoreSubscribers(copy)
        return { ...counts, announcements: await restoreLedger(copy) }
      }),

    async last() {
      const row = await database.read((sql) => sql('SELECT at FROM backups').get())
      return row ? new Date(String(row.at)) : null
    },
  }
}

function* batches<T>(rows: Iterable<T>): Iterable<T[]> {
  let batch: T[] = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
