import { setImmediate as turn } from 'node:timers/promises'
import type { AddressIds } from '../../keys/address-id.ts'
import type { Person } from '../../people/person.ts'
import { writeBound } from './bound-to-key.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { type Kept, keptIn, personsIn } from './persons.ts'

/** The list whose people these are. */
export interface Place {
  readonly database: SqliteDatabase
  readonly addressIds: AddressIds
}

/** Changes those with a tag by a time, a page in each transaction, each as they are then. */
export async function changeUnder(
  place: Place,
  tag: string,
  until: Date | undefined,
  happens: (one: Person, sql: Sql) => Person,
): Promise<void> {
  for await (const page of pagesUnder(place, tag, { until }))
    await writeBound(place.database, place.addressIds, (sql) => {
      const persons = personsIn(sql, place.addressIds)
      for (const { addressId } of page) persons.change(addressId, (one) => happens(one, sql))
    })
}

const PAGE = 200

/** Those with a tag in order, in pages: the write-ahead log cannot be written back while a read is open. */
export async function* pagesUnder(
  { database }: Pick<Place, 'database'>,
  tag: string,
  { since, until }: { readonly since?: Date; readonly until?: Date | undefined } = {},
): AsyncIterable<Kept[]> {
  const last = until?.toISOString() ?? '~'
  for (let after: readonly [at: string, n: number] = [since?.toISOString() ?? '', 0]; ; ) {
    const page = await database.read((sql) =>
      sql(`
        SELECT at, persons.n, id, number, data FROM places JOIN persons USING (n)
        WHERE tag = ? AND (at, n) > (?, ?) AND at <= ? ORDER BY at, n LIMIT ${PAGE}`).all(
        ...[tag, ...after, last],
      ),
    )
    if (page.length > 0) yield page.map(keptIn)
    const end = page.at(-1)
    if (!end || page.length < PAGE) return
    // Visitors are answered by the same process, and a flood leaves a million.
    await turn()
    after = [String(end.at), Number(end.n)]
  }
}
