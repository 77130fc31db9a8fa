import type { Invitations } from '../invitations.ts'
import type { SqliteDatabase } from './database.ts'

export function sqliteInvitations(database: SqliteDatabase): Invitations {
  return {
    async keys() {
      const all = 'SELECT publicKey, until FROM invitationKeys ORDER BY rowid DESC'
      const rows = await database.read((sql) => sql(all).all())
      return rows.map(({ publicKey, until }) => ({
        publicKey: String(publicKey),
        until: new Date(String(until)),
      }))
    },

    async keep(publicKey, until) {
      const put = `
        INSERT INTO invitationKeys (publicKey, until) VALUES (?, ?)
        ON CONFLICT DO UPDATE SET until = max(until, excluded.until)`
      await database.write((sql) => sql(put).run(publicKey, until.toISOString()))
    },
  }
}
