import type { AddressIds } from '../../keys/address-id.ts'
import { type HeldLetters, nothingHeld } from '../../shared/held-letters.ts'
import type { Outbox } from '../outbox.ts'
import { writeBound } from './bound.ts'
import type { SqliteDatabase } from './database.ts'

export function sqliteHeldLetters(
  database: SqliteDatabase,
  addressIds: AddressIds,
): Pick<Outbox, 'heldLetters' | 'releaseLetters'> {
  return {
    heldLetters: () =>
      database.read((sql) => {
        const rows = sql(`
          SELECT waitsFor, count(*) AS number FROM outbox
          WHERE waitsFor IS NOT NULL GROUP BY waitsFor`).all()
        const numbers = rows.map(({ waitsFor, number }) => [waitsFor, Number(number)])
        return { ...nothingHeld, ...Object.fromEntries(numbers) } as HeldLetters
      }),

    releaseLetters: (brake) =>
      writeBound(database, addressIds, (sql) => {
        const now = new Date().toISOString()
        sql('REPLACE INTO released (waitsFor, until) VALUES (?, ?)').run(brake, now)
        const { changes } = sql(`
          UPDATE outbox SET dueAt = ?, waitsFor = NULL WHERE waitsFor = ?`).run(now, brake)
        return Number(changes)
      }),
  }
}
