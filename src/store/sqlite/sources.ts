import type { AddressIds } from '../../keys/address-id.ts'
import type { Source } from '../../shared/source.ts'
import type { Sql } from './database.ts'
import { isBoundTo } from './standings.ts'

interface Sourced {
  readonly email: string
  readonly source?: Source | undefined
}

/**
 * Keeps where new addresses come from, before they are put on the list. One that is on it gets an
 * empty row, or keeps the row that it has: so no robot changes anybody's source, and both take as
 * long.
 */
export function keepFirstSources(
  sql: Sql,
  group: readonly Sourced[],
  at: Date,
  addressIds: AddressIds,
): void {
  // The keyed hash costs as much as all the rest, so only those are hashed that have a source.
  const rows = group.flatMap(({ email, source }) =>
    source ? [{ email, addressId: addressIds.of(email), ...source }] : [],
  )
  // A file that is bound to another key keeps no ids, and the sign-up all the same.
  if (rows.length === 0 || !isBoundTo(sql, addressIds.fingerprint)) return
  sql(`
    INSERT INTO sources (addressId, at, source, medium, campaign)
    SELECT value ->> 'addressId', :at, ${['source', 'medium', 'campaign']
      .map((field) => `iif(isKnown, NULL, value ->> '${field}')`)
      .join(', ')}
    FROM (
      SELECT value, EXISTS (
        SELECT 1 FROM documents WHERE data ->> 'email' = value ->> 'email'
      ) AS isKnown FROM json_each(:rows)
    ) WHERE true
    ON CONFLICT DO UPDATE SET addressId = addressId`).run({
    at: at.toISOString(),
    rows: JSON.stringify(rows),
  })
}
