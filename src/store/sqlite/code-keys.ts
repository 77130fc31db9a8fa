import type { SqliteDatabase } from './database.ts'

/** The public keys that verify the codes of letters. Each method throws StoreUnavailable. */
export function sqliteCodeKeys(database: SqliteDatabase) {
  return {
    /** The newest first, with when the last code that was signed by each ends. */
    async keys() {
      const all = 'SELECT publicKey, until FROM codeKeys ORDER BY rowid DESC'
      const rows = await database.read((sql) => sql(all).all())
      return rows.map(({ publicKey, until }) => ({
        publicKey: String(publicKey),
        until: new Date(String(until)),
      }))
    },

    /** Keeps a key; of one that is known only its end, if that is later. */
    async keep(publicKey: string, until: Date): Promise<void> {
      const put = `
        INSERT INTO codeKeys (publicKey, until) VALUES (?, ?)
        ON CONFLICT DO UPDATE SET until = max(until, excluded.until)`
      await database.write((sql) => sql(put).run(publicKey, until.toISOString()))
    },
  }
}
