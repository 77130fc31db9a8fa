import type { DatabaseSync } from 'node:sqlite'
import type { AddressIds } from '../shared/address-id.ts'
import { batches } from '../shared/batches.ts'
import { extraFrom } from './extra.ts'
import type { DeliveryRow, KnownEntry } from './restore-target.ts'
import { type Copy, readCopy } from './sqlite-copy.ts'
import { toAnnouncement } from './sqlite-ledger.ts'
import { isLiftedBySignUp, type Standing } from './standing.ts'
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

export function copies(store: Store, addressIds: AddressIds, _appId: string): Copies {
  const { fingerprint } = addressIds

  /** Takes over what was known of addresses. A sign-up after that is newer, and stays. */
  async function restoreKnown(copy: DatabaseSync) {
    const entries = new Map(knownRows(copy).map((entry) => [entry.addressId, entry]))
    for await (const { email, subscribedAt } of store.stream({ standing: 'all' })) {
      const entry = entries.get(addressIds.of(email))
      if (!entry?.standing || !isLiftedBySignUp(entry.standing.standing)) continue
      if (subscribedAt > entry.standing.at)
        entries.set(entry.addressId, { ...entry, standing: undefined })
      else if (entry.standing.standing === 'forgotten') {
        await store.restoreKnown([entry])
        // A store that keeps each sign-up by itself may know of one since.
        const mark = await store.standing(email)
        if (mark?.standing === 'forgotten') await store.forget(email)
      }
    }
    for await (const batch of batches(entries.values(), BATCH)) await store.restoreKnown(batch)
  }

  async function restoreSubscribers(copy: DatabaseSync) {
    const counts = { added: 0, known: 0, forgotten: 0 }
    const rows = copy.prepare(`
      SELECT data ->> 'email' AS email, data ->> 'subscribedAt' AS subscribedAt
      FROM documents ORDER BY id`)
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
    check: (file) => readCopy(file, fingerprint, ({ copy }) => copy),

    restore: (file) =>
      readCopy(file, fingerprint, async ({ db }) => {
        await restoreKnown(db)
        const counts = await restoreSubscribers(db)
        return { ...counts, announcements: await restoreLedger(db) }
      }),
  }
}

function knownRows(copy: DatabaseSync): KnownEntry[] {
  const rows = copy.prepare(`
    SELECT addressId, standing, at, detail, fields FROM standings LEFT JOIN extras USING (addressId)
    UNION ALL
    SELECT addressId, NULL, NULL, NULL, fields FROM extras
    WHERE addressId NOT IN (SELECT addressId FROM standings)`)
  return rows.all().map(({ addressId, standing, at, detail, fields }) => ({
    addressId: String(addressId),
    extra: extraFrom(fields),
    standing:
      standing === null
        ? undefined
        : {
            standing: standing as Standing,
            at: new Date(String(at)),
            detail: detail === null ? undefined : String(detail),
          },
  }))
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
    ...(row.standing !== null && { standing: row.standing as Standing }),
  }
}
