import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import type { SqliteDatabase } from './database.ts'

const PAGE = 500

type Row = Record<string, SQLOutputValue>

/**
 * The rows of a query in order of their `id`, in pages: the write-ahead log cannot be written back while
 * a read is open.
 *
 * @param text selects a unique `id` for each row, and only rows after `:last`.
 * @param first comes before all ids.
 */
export async function* pagesOf(
  database: SqliteDatabase,
  text: string,
  first: number | '',
  values: Readonly<Record<string, SQLInputValue>> = {},
): AsyncIterable<Row[]> {
  for (let last: SQLInputValue = first; ; ) {
    const query = `${text} ORDER BY id LIMIT ${PAGE}`
    const page = await database.read((sql) => sql(query).all({ ...values, last }))
    yield page
    if (page.length < PAGE) return
    last = page.at(-1)?.id ?? first
  }
}

/** The same one by one. */
export async function* rowsOf(...query: Parameters<typeof pagesOf>): AsyncIterable<Row> {
  for await (const page of pagesOf(...query)) yield* page
}
