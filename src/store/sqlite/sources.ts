import type { AddressIds } from '../../keys/address-id.ts'
import type { Source } from '../../shared/source.ts'
import type { Sql } from './connection.ts'
import { pageTime } from './imported.ts'
import { addExtra } from './known.ts'
import { entryOf, isBoundTo, signUpOf } from './standing-rows.ts'

interface SignedUp {
  readonly email: string
  readonly source?: Source | undefined
  readonly language?: string | undefined
}

/**
 * Stores the sources of new addresses, before these are put on the list. A subscriber gets an empty
 * row, or keeps the existing one: so no robot changes a subscriber's source, and both take as long.
 * A quarantined address counts as new: a robot that types an address first takes nothing from its
 * owner, whose source gets the time of the list's record. So does one that came by an import.
 */
export function keepFirstSources(
  sql: Sql,
  group: readonly SignedUp[],
  at: Date,
  addressIds: AddressIds,
): void {
  // The keyed hash costs as much as all the rest, so only those are hashed that have a source.
  const rows = group.flatMap(({ email, source }) =>
    source ? [{ email, addressId: addressIds.of(email), ...source }] : [],
  )
  // A file that is bound to another key stores no ids, but still stores the sign-up.
  if (rows.length === 0 || !isBoundTo(sql, addressIds.fingerprint)) return
  sql(`
    INSERT INTO sources (addressId, at, source, medium, campaign)
    SELECT value ->> 'addressId', coalesce(listedAt, :at), ${['source', 'medium', 'campaign']
      .map((field) => `iif(listedAt IS NOT NULL AND NOT isQuarantined, NULL, value ->> '${field}')`)
      .join(', ')}
    FROM (
      SELECT value, (
        SELECT nullif(${pageTime}, '') FROM documents WHERE data ->> 'email' = value ->> 'email'
      ) AS listedAt, EXISTS (
        SELECT 1 FROM standings
        WHERE addressId = value ->> 'addressId' AND standing = 'quarantined'
      ) AS isQuarantined FROM json_each(:rows)
    ) WHERE true
    ON CONFLICT DO UPDATE SET addressId = addressId`).run({
    at: at.toISOString(),
    rows: JSON.stringify(rows),
  })
}

/**
 * Keeps the language of new addresses, before they are put on the list, by the rules of
 * `keepFirstSources`. As much is written for an address that is on it.
 */
export function keepFirstLanguages(
  sql: Sql,
  group: readonly SignedUp[],
  addressIds: AddressIds,
): void {
  const spoken = group.flatMap(({ email, language }) => (language ? [{ email, language }] : []))
  if (spoken.length === 0 || !isBoundTo(sql, addressIds.fingerprint)) return
  for (const { email, language } of spoken) {
    const addressId = addressIds.of(email)
    // Both are looked up for everybody, so that a known address takes as long.
    const [signUp, entry] = [signUpOf(sql, email), entryOf(sql, addressId)]
    const isListed = signUp !== undefined && entry?.standing !== 'quarantined'
    addExtra(sql, addressId, isListed ? {} : { language })
  }
}
