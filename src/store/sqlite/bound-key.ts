import type { Sql } from './connection.ts'

/** Binds the file to a key, unless it is bound already. @returns whether it is to this one. */
export function isBoundTo(sql: Sql, fingerprint: string): boolean {
  const bound = sql('SELECT fingerprint FROM boundTo').get()
  if (!bound) sql('INSERT INTO boundTo (fingerprint) VALUES (?)').run(fingerprint)
  return !bound || bound.fingerprint === fingerprint
}
