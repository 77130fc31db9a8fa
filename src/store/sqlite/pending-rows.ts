import { type Pending, pendingFrom } from '../../people/pending.ts'
import type { Sql } from './connection.ts'

/** The last request to confirm of an address. */
export function pendingOf(sql: Sql, addressId: string): Pending | undefined {
  return pendingFrom(sql('SELECT data FROM pending WHERE addressId = ?').get(addressId)?.data)
}
