import { type Extra, extraFrom, mergeExtra } from '../extra.ts'
import { type Consent, type Pending, pendingFrom } from '../pending.ts'
import { referralIn, withoutReferral } from '../referral.ts'
import type { ListedSubscriber } from '../subscriber-list.ts'
import type { Sql } from './connection.ts'
import { broughtBy } from './schema.ts'
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

/** Adds data of a file or a copy. Who brought them is left out if that one was erased here. */
export function addExtra(sql: Sql, addressId: string, extra: Extra) {
  const { by } = referralIn(extra) ?? {}
  const isErased = by !== undefined && entryOf(sql, by)?.standing === 'forgotten'
  const heard = isErased ? withoutReferral(extra) : extra
  setExtra(sql, addressId, mergeExtra(extraOf(sql, addressId), heard) ?? {})
}

/** Replaces all fields of an address. */
export function setExtra(sql: Sql, addressId: string, extra: Extra) {
  sql(`
    INSERT INTO extras (addressId, fields) VALUES (?, ?)
    ON CONFLICT DO UPDATE SET fields = excluded.fields`).run(addressId, JSON.stringify(extra))
}

/**
 * Replaces the receipt of a consent; without a consent, removes it.
 *
 * @param more is kept beside it.
 */
export function setConsent(
  sql: Sql,
  addressId: string,
  consent: Consent | undefined,
  more: Extra = {},
) {
  const { consent: _, ...others } = extraOf(sql, addressId) ?? {}
  setExtra(sql, addressId, consent ? { ...others, consent, ...more } : others)
}

export function extraOf(sql: Sql, addressId: string): Extra | undefined {
  return extraFrom(sql('SELECT fields FROM extras WHERE addressId = ?').get(addressId)?.fields)
}

/** The last request to confirm of an address. */
export function pendingOf(sql: Sql, addressId: string): Pending | undefined {
  return pendingFrom(sql('SELECT data FROM pending WHERE addressId = ?').get(addressId)?.data)
}

/** Erases that somebody brought others. */
export function eraseReferralsBy(sql: Sql, addressId: string) {
  sql('UPDATE outbox SET broughtBy = NULL WHERE broughtBy = ?').run(addressId)
  sql(`
    UPDATE pending SET data = json_remove(data, '$.broughtBy')
    WHERE ${broughtBy.pending} = ?`).run(addressId)
  sql(`
    UPDATE extras SET fields = json_remove(fields, '$.referral')
    WHERE ${broughtBy.extras} = ?`).run(addressId)
}
