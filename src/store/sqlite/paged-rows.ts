import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import type { SqliteDatabase } from './database.ts'

/**
 * Rows in pages, until one is not full: the write-ahead log cannot be written back while a read is open,
 * and visitors are answered between two pages.
 *
 * @param page gives the rows after one, in order; at first, from the beginning.
 */
export async function* inPages<T>(
  size: number,
  page: (last: T | undefined) => Promise<readonly T[]>,
): AsyncIterable<readonly T[]> {
  for (let last: T | undefined; ; await turn()) {
    const rows = await page(last)
    if (rows.length > 0) yield rows
    if (rows.length < size) return
    last = rows.at(-1)
  }
}

/**
 * The same one by one in an open transaction: a million would not fit into memory at once.
 *
 * @param page gives those after an id, in order.
 */
export function* inOrder<T extends { readonly id?: unknown }>(
  page: (last: string) => readonly T[],
): Iterable<T> {
  for (let rows = page(''); rows.length > 0; rows = page(String(rows.at(-1)?.id))) yield* rows
}

const PAGE = 500

type Row = Record<string, SQLOutputValue>

/**
 * The rows of a query in order of their `id`.
 *
 * @param text selects a unique `id` for each row, and only rows after `:last`.
 * @param first comes before all ids.
 */
export function pagesOf(
  database: SqliteDatabase,
  text: string,
  first: number | '',
  values: Readonly<Record<string, SQLInputValue>> = {},
): AsyncIterable<readonly Row[]> {
  const query = `${text} ORDER BY id LIMIT ${PAGE}`
  return inPages<Row>(PAGE, (last) =>
    database.read((sql) => sql(query).all({ ...values, last: last?.id ?? first })),
  )
}

/** The same one by one. */
export async function* rowsOf(...query: Parameters<typeof pagesOf>): AsyncIterable<Row> {
  for await (const page of pagesOf(...query)) yield* page
}
