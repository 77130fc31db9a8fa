import type { AddressIds } from '../../keys/address-id.ts'
import type { Person } from '../../people/person.ts'
import { writeBound } from './bound-to-key.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { inPages } from './paged-rows.ts'
import { type Kept, keptIn, type Persons, personsIn } from './persons.ts'
import { takeInOf } from './taking-in.ts'

export type OpenList = ReturnType<typeof openList>

/** A list's database, with the people in it, and how the ids of their addresses are made. */
export function openList(database: SqliteDatabase, ids: AddressIds) {
  const writePersons = <T>(work: (persons: Persons) => T): Promise<T> =>
    writeBound(database, ids, (keyed) => work(personsIn(keyed)))

  return {
    ...database,
    ids,

    /** Looks people up. */
    readPersons: <T>(work: (persons: Persons) => T): Promise<T> =>
      database.read((sql) => work(personsIn({ sql, ids }))),

    /** Writes what has address ids, by `writeBound`. */
    writePersons,

    /** The same of something that is said now of people, by their ids: what waits of them came before. */
    writeOf: <T>(addressIds: readonly string[], work: (persons: Persons) => T): Promise<T> =>
      writePersons((persons) => {
        takeInOf(persons, addressIds)
        return work(persons)
      }),

    /** Changes those with a tag by a time, a page in each transaction, each as they are then. */
    async changeUnder(
      tag: string,
      until: Date | undefined,
      happens: (one: Person, sql: Sql) => Person,
    ): Promise<void> {
      for await (const page of pagesUnder(database, tag, { until }))
        await writePersons((persons) => {
          for (const { addressId } of page)
            persons.change(addressId, (one) => happens(one, persons.sql))
        })
    },
  }
}

const PAGE = 200

/** Those with a tag in order, in pages. */
export function pagesUnder(
  database: SqliteDatabase,
  tag: string,
  { since, until }: { readonly since?: Date; readonly until?: Date | undefined } = {},
): AsyncIterable<readonly KeptAt[]> {
  const end = until?.toISOString() ?? '~'
  const first = { at: since?.toISOString() ?? '', n: 0 }
  return inPages<KeptAt>(PAGE, ({ at, n }: Pick<KeptAt, 'at' | 'n'> = first) =>
    database.read((sql) =>
      sql(`
        SELECT at, persons.n, id, number, data FROM places JOIN persons USING (n)
        WHERE tag = ? AND (at, n) > (?, ?) AND at <= ? ORDER BY at, n LIMIT ${PAGE}`)
        .all(tag, at, n, end)
        .map((row) => ({ ...keptIn(row), at: String(row.at) })),
    ),
  )
}

interface KeptAt extends Kept {
  readonly at: string
}
