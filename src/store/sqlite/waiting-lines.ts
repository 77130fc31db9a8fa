import {
  type Answer,
  claimed,
  type Item,
  isDue,
  type Line,
  type LineKind,
  type Try,
} from '../../queue/waiting-line.ts'
import type { Sql } from './connection.ts'

/** The lines of a kind in an open transaction. */
export function linesIn<I extends Item, L extends Line<I>, End>(
  sql: Sql,
  { name, read, after, stays = false }: LineKind<I, L, End>,
) {
  const of = (id: string): L | undefined =>
    read(sql('SELECT data FROM queue WHERE kind = ? AND id = ?').get(name, id)?.data)

  function put(id: string, line: L | undefined): void {
    if (!line || (line.items.length === 0 && !stays))
      sql('DELETE FROM queue WHERE kind = ? AND id = ?').run(name, id)
    else
      sql(`
        INSERT INTO queue (kind, id, tries, dueAt, data) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET tries = excluded.tries, dueAt = excluded.dueAt,
          data = excluded.data`).run(
        ...[name, id, line.tries, line.dueAt ?? null, JSON.stringify(line)],
      )
  }

  /** Takes the first of a line, if it is due. @returns how much of the line cannot be read, too. */
  function claim(id: string, leaseMs: number, now: number) {
    const { dropped = 0, ...found } = of(id) ?? { dropped: 1, items: [], tries: 0 }
    const line = found as L
    const taken = isDue(line, now) ? claimed(line, leaseMs, now) : undefined
    // A row that is no line would be met first each time, and so would one that says otherwise than its line.
    put(id, taken ?? line)
    return { taken, dropped }
  }

  /** Notes how a try ended. */
  function settle(id: string, sent: Try, answer: Answer, now: number): End | undefined {
    const before = of(id)
    if (!before) return undefined
    const { end, line } = after(before, sent, answer, now)
    put(id, line)
    return end
  }

  /** In the order of their ids. @param last the one before them. */
  const all = (last = '', limit = -1) =>
    sql('SELECT id, data FROM queue WHERE kind = ? AND id > ? ORDER BY id LIMIT ?')
      .all(name, last, limit)
      .map(({ id, data }) => ({ id: String(id), line: read(data) }))

  return { of, put, claim, settle, all }
}
