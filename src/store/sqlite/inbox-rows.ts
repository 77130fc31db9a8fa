import type { AddressIds } from '../../keys/address-id.ts'
import type { CollectState } from '../inbox.ts'
import { toDate } from '../inbox-rules.ts'
import type { Sql } from './connection.ts'

/** Notes that an address has to be erased at Google too, where documents came from there. */
export function eraseElsewhere(sql: Sql, addressIds: AddressIds, email: string, at: Date): void {
  if (!stateIn(sql)) return
  sql('INSERT OR REPLACE INTO inboxErasures (addressId, sealed, at) VALUES (?, ?, ?)').run(
    ...[addressIds.of(email), addressIds.seal(email), at.toISOString()],
  )
}

/**
 * The time of a no that is said now: never before the newest document that was taken in, which would
 * lift it where this machine's clock is slow.
 */
export function timeOfNo(sql: Sql): Date {
  const { newest } = stateIn(sql) ?? {}
  return new Date(Math.max(Date.now(), newest ? toDate(newest).getTime() : 0))
}

export function stateIn(sql: Sql): CollectState | undefined {
  const row = sql('SELECT data FROM inbox').get()
  return row && (JSON.parse(String(row.data)) as CollectState)
}

export function changeState(sql: Sql, state: Partial<CollectState>) {
  const all = { ...stateIn(sql), ...state }
  sql('UPDATE inbox SET data = ?').run(JSON.stringify(all))
}
