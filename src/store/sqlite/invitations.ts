import type { AddressIds } from '../../keys/address-id.ts'
import {
  AnotherKey,
  type Invitation,
  type InvitationEnd,
  type Invitations,
} from '../invitations.ts'
import type { Restorable } from '../restore-target.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { rowsOf } from './pages.ts'
import { entryOf, writeBound } from './standing-rows.ts'

export function sqliteInvitations(
  database: SqliteDatabase,
  addressIds: AddressIds,
): Invitations & Restorable<'invitations'> {
  return {
    issue: (invitation, until, publicKey) =>
      writeBound(database, addressIds, (sql) => {
        if ((keyIn(sql) ?? publicKey) !== publicKey) throw new AnotherKey()
        if (isForgotten(sql, invitation)) return undefined
        const known = keptIn(sql, invitation.id)
        if (!known) insert(sql, invitation)
        else if (!known.ended && known.expiresAt < until)
          sql('UPDATE invitations SET expiresAt = ? WHERE id = ?').run(
            invitation.expiresAt.toISOString(),
            invitation.id,
          )
        return keptIn(sql, invitation.id)
      }),

    async *stream() {
      const query = 'SELECT * FROM invitations WHERE id > :last'
      for await (const row of rowsOf(database, query, '')) yield invitationOf(row)
    },

    to: (addressId) =>
      database.read((sql) =>
        sql('SELECT * FROM invitations WHERE addressId = ? ORDER BY issuedAt')
          .all(addressId)
          .map(invitationOf),
      ),

    end: (id, as) =>
      database.write((sql) => {
        const known = keptIn(sql, id)
        if (!known) return 'unknown'
        if (known.ended) return known.ended.as
        sql('UPDATE invitations SET endedAs = ?, endedAt = ? WHERE id = ?').run(
          ...[as, new Date().toISOString(), id],
        )
        return 'ended'
      }),

    key: () => database.read(keyIn),

    async setKey(publicKey) {
      await database.write((sql) =>
        sql('INSERT OR REPLACE INTO invitationKey (only, publicKey) VALUES (1, ?)').run(publicKey),
      )
    },

    restore: (restored, publicKey) =>
      writeBound(database, addressIds, (sql) => {
        if (publicKey !== undefined)
          sql('INSERT OR IGNORE INTO invitationKey (only, publicKey) VALUES (1, ?)').run(publicKey)
        for (const invitation of restored) {
          if (isForgotten(sql, invitation)) continue
          const { id, ended } = invitation
          if (!keptIn(sql, id)) insert(sql, invitation)
          else if (ended)
            sql(`
              UPDATE invitations SET endedAs = ?, endedAt = ? WHERE id = ? AND endedAs IS NULL`).run(
              ...[ended.as, ended.at.toISOString(), id],
            )
        }
      }),
  }
}

const isForgotten = (sql: Sql, { addressId }: Invitation) =>
  entryOf(sql, addressId)?.standing === 'forgotten'

function keyIn(sql: Sql): string | undefined {
  const row = sql('SELECT publicKey FROM invitationKey').get()
  return row && String(row.publicKey)
}

function insert(sql: Sql, { id, announcement, addressId, email, ...times }: Invitation) {
  const { issuedAt, expiresAt, ended } = times
  sql('INSERT INTO invitations VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run(
    ...[id, announcement, addressId, email, issuedAt.toISOString(), expiresAt.toISOString()],
    ended?.as ?? null,
    ended?.at.toISOString() ?? null,
  )
}

function keptIn(sql: Sql, id: string): Invitation | undefined {
  const row = sql('SELECT * FROM invitations WHERE id = ?').get(id)
  return row && invitationOf(row)
}

function invitationOf(row: Readonly<Record<string, unknown>>): Invitation {
  const text = (name: string) => String(row[name])
  const ended = row.endedAs !== null && {
    ended: { as: row.endedAs as InvitationEnd, at: new Date(text('endedAt')) },
  }
  return {
    id: text('id'),
    announcement: text('announcement'),
    addressId: text('addressId'),
    email: text('email'),
    issuedAt: new Date(text('issuedAt')),
    expiresAt: new Date(text('expiresAt')),
    ...ended,
  }
}
