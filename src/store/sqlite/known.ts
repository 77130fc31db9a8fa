import { type Extra, extraFrom, mergeExtra } from '../extra.ts'
import { type Consent, type Pending, pendingFrom } from '../pending.ts'
import type { ListedSubscriber } from '../subscriber-list.ts'
import type { Sql } from './connection.ts'
import { entryOf } from './standing-rows.ts'

/** Whether there is any data beyond the list. */
export function isAnyKnown(sql: Sql): boolean {
  return (
    sql(`
      SELECT 1 WHERE EXISTS (SELECT * FROM standings) OR EXISTS (SELECT * FROM extras)`).get() !==
    undefined
  )
}

/** The data of a subscriber beyond the record. */
export function knownOf(
  sql: Sql,
  addressId: string,
): Omit<ListedSubscriber, 'email' | 'subscribedAt'> {
  const { standing = 'subscribed', at, detail } = entryOf(sql, addressId) ?? {}
  const extra = extraOf(sql, addressId)
  const since = standing === 'subscribed' ? {} : { standingAt: at, ...(detail && { detail }) }
  return { standing, ...since, ...(extra && { extra }) }
}

export function addExtra(sql: Sql, addressId: string, extra: Extra) {
  const merged = mergeExtra(extraOf(sql, addressId), extra)
  sql(`
    INSERT INTO extras (addressId, fields) VALUES (?, ?)
    ON CONFLICT DO UPDATE SET fields = excluded.fields`).run(addressId, JSON.stringify(merged))
}

/** Replaces the receipt of a consent; without a consent, removes it. */
export function setConsent(sql: Sql, addressId: string, consent: Consent | undefined) {
  const { consent: _, ...others } = extraOf(sql, addressId) ?? {}
  const fields = consent ? { ...others, consent } : others
  sql(`
    INSERT INTO extras (addressId, fields) VALUES (?, ?)
    ON CONFLICT DO UPDATE SET fields = excluded.fields`).run(addressId, JSON.stringify(fields))
}

export function extraOf(sql: Sql, addressId: string): Extra | undefined {
  return extraFrom(sql('SELECT fields FROM extras WHERE addressId = ?').get(addressId)?.fields)
}

/** The last request to confirm of an address. */
export function pendingOf(sql: Sql, addressId: string): Pending | undefined {
  return pendingFrom(sql('SELECT data FROM pending WHERE addressId = ?').get(addressId)?.data)
}
