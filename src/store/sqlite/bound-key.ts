import type { Sql } from './connection.ts'
import { noteIn, putNote } from './notes.ts'

/** Binds the file to a key, unless it is bound already. @returns whether it is to this one. */
export function isBoundTo(sql: Sql, fingerprint: string): boolean {
  const bound = noteIn(sql, 'boundTo')
  if (bound === undefined) putNote(sql, 'boundTo', fingerprint)
  return bound === undefined || bound === fingerprint
}
