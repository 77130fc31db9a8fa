import type { DatabaseSync } from 'node:sqlite'
import type { AddressIds } from '../shared/address-id.ts'
import { batches } from '../shared/batches.ts'
import type { DeliveryRow } from './restore-target.ts'
import { type Copy, readCopy } from './sqlite-copy.ts'
import { toAnnouncement } from './sqlite-ledger.ts'
import type { Store } from './store.ts'

/** Brings copies of a SQLite store back, into whichever store is in use: a move is a restore. */
export interface Copies {
  /** Reads a copy through. @throws StoreUnavailable with what is wrong with it. */
  check(file: string): Promise<Copy>

  /**
   * Brings back what a copy has and the store has not. What the store knows is newer and stays:
   * who was forgotten since does not come back, who unsubscribed stays out, who was told was told.
   * Whoever was still to be told when the copy was made may have been told since: `uncertain`.
   * Can be interrupted anywhere and done again. @throws StoreUnavailable
   */
  restore(file: string): Promise<Restored>
}

export interface Restored {
  readonly added: number
  readonly known: number
  /** Who does not come back, since that was asked for. */
  readonly forgotten: number
  readonly announcements: number
}

const BATCH = 500

export function copies(store: Store, addressIds: AddressIds, appId: string): Copies {
  const { fingerprint } = addressIds

  /** Takes over who must not be written to. A sign-up after that is newer, and stays. */
  async function restoreSuppressions(copy: DatabaseSync) {
    const rows = copy.prepare('SELECT addressId, reason, at FROM suppressions').all()
    const entries = new Map(
      rows.map((row) => {
        const reason: 'forgotten' | 'unsubscribed' =
          row.reason === 'forgotten' ? 'forgotten' : 'unsubscribed'
        const addressId = String(row.addressId)
        return [addressId, { addressId, reason, at: new Date(String(row.at)) }]
      }),
    )
    for await (const { email, subscribedAt } of store.stream()) {
      const entry = entries.get(addressIds.of(email))
      if (!entry) continue
      if (subscribedAt > entry.at) entries.delete(entry.addressId)
      else if (entry.reason === 'forgotten') {
        await store.restoreSuppressions([entry])
        // A store that keeps each sign-up by itself may know of one since.
        const mark = await store.suppression(email)
        if (mark?.reason === 'forgotten') await store.forget(email)
      }
    }
    for await (const batch of batches(entries.values(), BATCH))
      await store.restoreSuppressions(batch)
  }

  async function restoreSubscribers(copy: DatabaseSync, inCollection: string) {
    const counts = { added: 0, known: 0, forgotten: 0 }
    const rows = copy.prepare(`
      SELECT data ->> 'email' AS email, data ->> 'subscribedAt' AS subscribedAt
      FROM documents WHERE ${inCollection} ORDER BY id`)
    for await (const batch of batches(rows.iterate(), BATCH)) {
      const subscribers = batch.map(({ email, subscribedAt }) => ({
        email: String(email),
        subscribedAt: new Date(String(subscribedAt)),
      }))
      for (const outcome of await store.importAll(subscribers)) counts[outcome] += 1
    }
    return counts
  }

  /** Takes over the announcements that the store does not know, each at once when all its rows are there. */
  async function restoreLedger(copy: DatabaseSync): Promise<number> {
    let restored = 0
    for (const row of copy.prepare('SELECT * FROM announcements').all()) {
      const announcement = toAnnouncement(row)
      if (await store.findAnnouncement(announcement.id)) continue
      const rows = copy.prepare('SELECT rowid AS id, * FROM deliveries WHERE announcement = ?')
      for await (const batch of batches(rows.iterate(announcement.id), BATCH))
        await store.restoreDeliveries(announcement.id, batch.map(toDeliveryRow))
      await store.restoreAnnouncement(announcement)
      restored += 1
    }
    return restored
  }

  return {
    check: (file) => readCopy(file, appId, fingerprint, ({ copy }) => copy),

    restore: (file) =>
      readCopy(file, appId, fingerprint, async ({ db, inCollection }) => {
        await restoreSuppressions(db)
        const counts = await restoreSubscribers(db, inCollection)
        return { ...counts, announcements: await restoreLedger(db) }
      }),
  }
}

/** Whoever was not done with when the copy was made may have been told since. */
function toDeliveryRow(row: Readonly<Record<string, unknown>>): DeliveryRow {
  const open = row.status === 'queued' || row.status === 'sending'
  return {
    rowId: String(row.id),
    addressId: String(row.addressId),
    email: row.email === null ? undefined : String(row.email),
    status: open ? 'uncertain' : (row.status as DeliveryRow['status']),
    tries: Number(row.tries),
    dueAt: new Date(String(row.dueAt)),
    changedAt: new Date(String(row.changedAt)),
    answer: open ? 'restored from a copy' : row.answer === null ? undefined : String(row.answer),
  }
}
