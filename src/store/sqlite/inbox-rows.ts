import { type AddressIds, keyedHash } from '../../keys/address-id.ts'
import { type Person, whyNotMailed } from '../../people/person.ts'
import { objectIn } from '../../shared/stored-json.ts'
import type { CollectState } from '../inbox.ts'
import { toDate } from '../inbox-rules.ts'
import type { Sql } from './connection.ts'
import { noteIn, putNote } from './notes.ts'

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

export type NoKeys = (email: string) => string

/** By which key the no of an address is kept at Google, where documents came from there. */
export function noKeysIn(sql: Sql): NoKeys | undefined {
  const state = stateIn(sql)
  return state && keyedHash(Buffer.from(state.key, 'base64url'), 'no')
}

/** Notes how somebody stands, so that it is kept at Google too, where documents came from there. */
export function noteStanding(
  sql: Sql,
  addressId: string,
  one: Person,
  noKeyOf: NoKeys | undefined,
): void {
  if (!noKeyOf) return
  const { standing, at } = whyNotMailed(one) ?? cameBack(one) ?? {}
  if (standing && one.email !== undefined)
    sql('INSERT OR IGNORE INTO inboxPeople (addressId, noKey) VALUES (?, ?)').run(
      ...[addressId, noKeyOf(one.email)],
    )
  sql('UPDATE inboxPeople SET standing = ?, at = ? WHERE addressId = ?').run(
    ...[standing ?? null, at?.toISOString() ?? null, addressId],
  )
}

/** That the noes of somebody are over. */
function cameBack({ noes, suspected, signedUp, answeredAt, releasedAt }: Person) {
  if (Object.keys(noes).length === 0 && !suspected) return undefined
  const yeses = [signedUp?.lifts, answeredAt, releasedAt].filter((at) => at !== undefined)
  const at = new Date(Math.max(0, ...yeses.map(Number)))
  return { standing: 'subscribed', at } as const
}

/** Notes that key for somebody: later, only the id of their address may be known. */
export function noteKey(
  sql: Sql,
  addressIds: AddressIds,
  email: string,
  noKeyOf = noKeysIn(sql),
  told: string | null = null,
): void {
  if (!noKeyOf) return
  sql('INSERT OR IGNORE INTO inboxPeople (addressId, noKey, told) VALUES (?, ?, ?)').run(
    ...[addressIds.of(email), noKeyOf(email), told],
  )
}

/** The note of what this list remembers of taking in; there is none while no page is on Firebase. */
export const INBOX = 'inbox'

export function stateIn(sql: Sql): CollectState | undefined {
  return objectIn(noteIn(sql, INBOX)) as CollectState | undefined
}

export function changeState(sql: Sql, state: Partial<CollectState>) {
  const known = stateIn(sql)
  if (known) putNote(sql, INBOX, { ...known, ...state })
}
