import { keyedHash } from '../../keys/address-id.ts'
import { forget, merge, sayNo } from '../../people/changes.ts'
import { nobody, type Person, whyNotMailed } from '../../people/person.ts'
import { type StandingEntry, standings } from '../../people/standing.ts'
import { objectIn } from '../../shared/stored-json.ts'
import type { CollectState } from '../inbox.ts'
import type { Keyed } from './bound-to-key.ts'
import type { Sql } from './connection.ts'
import { noteIn, putNote } from './notes.ts'

/** Notes that an address has to be erased at Google too, where documents came from there. */
export function eraseElsewhere({ sql, ids }: Keyed, email: string, at: Date): void {
  if (!stateIn(sql)) return
  sql('INSERT OR REPLACE INTO inboxErasures (addressId, sealed, at) VALUES (?, ?, ?)').run(
    ...[ids.of(email), ids.seal(email), at.toISOString()],
  )
}

/**
 * The time of a no that is said now: never before a document that was found, which would lift it where
 * this machine's clock is slow.
 */
export function timeOfNo(sql: Sql): Date {
  return new Date(Math.max(Date.now(), stateIn(sql)?.latest ?? 0))
}

/** The noes of people as they are kept at Google too; none where no documents came from there. */
export function keptNoes(sql: Sql) {
  const state = stateIn(sql)
  const keyOf = state && keyedHash(Buffer.from(state.key, 'base64url'), 'no')
  const rowOf = (key: string) =>
    sql('SELECT standing, at FROM inboxNoes WHERE noKey = ?').get(key) ?? {}

  return {
    /** Somebody with the no that is kept of their address. */
    with(one: Person, email: string | undefined): Person {
      if (!keyOf || email === undefined) return one
      const row = rowOf(keyOf(email))
      const standing = standings.find((known) => known === row.standing)
      if (!standing || standing === 'subscribed') return one
      const at = new Date(String(row.at))
      return standing === 'forgotten'
        ? merge(one, forget(nobody, at))
        : sayNo(one, standing, { at })
    },

    /** Notes how somebody stands, so that it is kept there. */
    note(one: Person, email: string | undefined): void {
      const now = keyOf && email !== undefined ? (whyNotMailed(one) ?? cameBack(one)) : undefined
      if (!keyOf || email === undefined || !now) return
      const [key, at] = [keyOf(email), now.at.toISOString()]
      const known = rowOf(key)
      const isSame = known.standing === now.standing && known.at === at
      const isNothing = now.standing === 'subscribed' && known.standing === undefined
      if (!isSame && !isNothing)
        sql('REPLACE INTO inboxNoes (noKey, standing, at, isTold) VALUES (?, ?, ?, 0)').run(
          ...[key, now.standing, at],
        )
    },
  }
}

/** That the noes of somebody are over. */
function cameBack({
  noes,
  suspected,
  signedUp,
  answeredAt,
  releasedAt,
}: Person): StandingEntry | undefined {
  if (Object.keys(noes).length === 0 && !suspected) return undefined
  const yeses = [signedUp?.lifts, answeredAt, releasedAt].filter((at) => at !== undefined)
  return { standing: 'subscribed', at: new Date(Math.max(0, ...yeses.map(Number))) }
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
