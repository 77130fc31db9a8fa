import type { Line } from '../../queue/line.ts'
import type { Sql } from './connection.ts'

/** The kinds of lines: the events of a person, by an id of theirs, and the notices of a place, by its name. */
type LineKind = 'events' | 'notices'

/** The value of a line, which anybody may have written; nothing where nothing waits. */
export function lineOf(sql: Sql, kind: LineKind, id: string): unknown {
  return sql('SELECT data FROM queue WHERE kind = ? AND id = ?').get(kind, id)?.data
}

/** @param line left out where nothing waits any more. */
export function putLine(sql: Sql, kind: LineKind, id: string, line: Line | undefined): void {
  if (!line) sql('DELETE FROM queue WHERE kind = ? AND id = ?').run(kind, id)
  else
    sql(`
      INSERT INTO queue (kind, id, tries, dueAt, data) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET tries = excluded.tries, dueAt = excluded.dueAt,
        data = excluded.data`).run(
      ...[kind, id, line.tries, line.dueAt ?? null, JSON.stringify(line)],
    )
}
