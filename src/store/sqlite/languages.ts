import type { AddressIds } from '../../keys/address-id.ts'
import type { Sql } from './connection.ts'
import { addExtra } from './known.ts'
import { entryOf, isBoundTo, signUpOf } from './standing-rows.ts'

interface Spoken {
  readonly email: string
  readonly language?: string | undefined
}

/**
 * Keeps the language of new addresses, before they are put on the list, by the rules of
 * `keepFirstSources`. As much is written for an address that is on it.
 */
export function keepFirstLanguages(
  sql: Sql,
  group: readonly Spoken[],
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
