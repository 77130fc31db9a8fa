import type { Sql } from './connection.ts'

/** What is to be added to the counters, by their names. */
export type Counts = Map<string, number>

export function addTo(counts: Counts, name: string, by: number): void {
  counts.set(name, (counts.get(name) ?? 0) + by)
}

export function keepCounts(sql: Sql, counts: Counts): void {
  for (const [name, number] of counts)
    sql(`
      INSERT INTO counters (name, number) VALUES (?, ?)
      ON CONFLICT DO UPDATE SET number = number + excluded.number`).run(name, number)
}
