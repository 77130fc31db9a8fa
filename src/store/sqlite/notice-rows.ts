import type { NewNotice } from '../notices.ts'
import type { Sql } from './connection.ts'

/** Notes an event, unless its key was noted before. */
export function noteOnce(sql: Sql, { key, type, at, data }: NewNotice): void {
  sql(`
    INSERT INTO notices (key, type, at, data) VALUES (?, ?, ?, ?)
    ON CONFLICT (key) DO NOTHING`).run(key, type, at.toISOString(), JSON.stringify(data))
}

/** Whether any place was ever opened; otherwise there are no notices. */
export function isAnybodyTold(sql: Sql): boolean {
  return sql('SELECT 1 FROM noticePlaces LIMIT 1').get() !== undefined
}
