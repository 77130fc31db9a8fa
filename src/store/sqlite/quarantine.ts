import type { AddressIds } from '../../keys/address-id.ts'
import {
  isDisowned,
  isQuarantinedBySignUp,
  isWaitingWithSigns,
  type Quarantine,
  toErase,
} from '../quarantine.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { eraseTraces } from './erase-traces.ts'
import { watching } from './event-rows.ts'
import { pendingOf } from './known.ts'
import { entryOf, isBoundTo, put, signUpOf, writeBound } from './standing-rows.ts'
import { erase } from './standings.ts'

interface SignUp {
  readonly email: string
  readonly suspicion: string | undefined
}

interface Suspect extends SignUp {
  /** When they signed up, if they are on the list already. */
  readonly signedUp: Date | undefined
}

/** The sign-ups of a group with signs of a robot, looked up before it is added. */
export function suspectsAmong(
  sql: Sql,
  signUps: readonly SignUp[],
  ordinary: readonly SignUp[],
): Suspect[] {
  if (ordinary.length === signUps.length) return []
  const trusted = new Set(ordinary.map(({ email }) => email))
  return signUps
    .filter(({ email, suspicion }) => suspicion !== undefined && !trusted.has(email))
    .map((one) => ({ ...one, signedUp: signUpOf(sql, one.email) }))
}

/**
 * Quarantines the suspects that are new, or whose standing a sign-up would have lifted. For the
 * others as much is written, so that the answer's time does not reveal who is on the list. With
 * another key than the file's, nobody is quarantined: that is no reason to refuse a visitor.
 */
export function quarantine(
  sql: Sql,
  addressIds: AddressIds,
  suspects: readonly Suspect[],
  at: Date,
): void {
  if (suspects.length === 0 || !isBoundTo(sql, addressIds.fingerprint)) return
  for (const { email, suspicion, signedUp } of suspects) {
    const addressId = addressIds.of(email)
    const entry = entryOf(sql, addressId)
    const standing = entry?.standing === 'subscribed' ? undefined : entry?.standing
    if (isQuarantinedBySignUp(standing, signedUp !== undefined))
      put(sql, addressId, { standing: 'quarantined', at, detail: suspicion }, true)
    else put(sql, addressId, entry ?? { standing: 'subscribed', at: signedUp ?? at }, true)
  }
}

export function sqliteQuarantine(database: SqliteDatabase, addressIds: AddressIds): Quarantine {
  /** @returns whether anything was erased. */
  function eraseOne(sql: Sql, email: string): boolean {
    const addressId = addressIds.of(email)
    const pending = pendingOf(sql, addressId)
    const requests = sql('SELECT suspicion FROM outbox WHERE email = ?').all(email)
    const what = toErase({
      standing: entryOf(sql, addressId)?.standing,
      isOnList: signUpOf(sql, email) !== undefined,
      pending,
      requests: requests.map(({ suspicion }) =>
        suspicion === null ? undefined : String(suspicion),
      ),
    })
    if (what === 'address') erase(sql, addressIds, email)
    if (what === 'request') {
      sql('DELETE FROM outbox WHERE email = ?').run(email)
      if (isWaitingWithSigns(pending)) sql('DELETE FROM pending WHERE addressId = ?').run(addressId)
    }
    return what !== undefined
  }

  return {
    release: (emails) =>
      writeBound(database, addressIds, (sql) => {
        const at = new Date()
        const noteEvents = watching(
          sql,
          addressIds,
          emails.map((email) => ({ email })),
        )
        const released = emails.filter((email) => {
          const addressId = addressIds.of(email)
          const standing = entryOf(sql, addressId)?.standing
          if (standing !== 'quarantined') return false
          if (isDisowned(standing, pendingOf(sql, addressId))) return false
          put(sql, addressId, { standing: 'subscribed', at })
          return true
        })
        noteEvents()
        return released
      }),

    async erase(emails) {
      const { erased, gone } = await writeBound(database, addressIds, (sql) => {
        const erased = emails.filter((email) => eraseOne(sql, email))
        // For subscribers, only the request was erased.
        return { erased, gone: erased.filter((email) => signUpOf(sql, email) === undefined) }
      })
      await eraseTraces(database, gone)
      return erased
    },
  }
}
