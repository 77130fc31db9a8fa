import { type Extra, extraFrom, mergeExtra } from '../extra.ts'
import type { Consent } from '../pending.ts'
import type { ListedSubscriber } from '../subscriber-list.ts'
import type { Sql } from './connection.ts'
import { entryOf } from './standings.ts'

/** Whether anything is known of anybody beyond the list. */
export function isAnyKnown(sql: Sql): boolean {
  return (
    sql(`
      SELECT 1 WHERE EXISTS (SELECT * FROM standings) OR EXISTS (SELECT * FROM extras)`).get() !==
    undefined
  )
}

/** What is known of a subscriber beyond its record. */
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

/** The receipt of a consent takes the place of an earlier one; without one, there is none any more. */
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
