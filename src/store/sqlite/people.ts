import { type AddressIds, isAddressId } from '../../keys/address-id.ts'
import { answerIn } from '../../people/known-fields.ts'
import { sourceOf, standingOf } from '../../people/person.ts'
import { REPLIED, sourceTag, standingTags } from '../../people/places.ts'
import type { Standing } from '../../people/standing.ts'
import { personIn, unreadable } from '../../people/stored.ts'
import {
  MOST_COUNTED,
  type People,
  type PeoplePage,
  type PeopleWanted,
  type PersonListed,
} from '../people.ts'
import { takePage } from '../roll/page.ts'
import { type Place, placeAfter, placeIn } from '../roll/place.ts'
import type { RollEntry, RollRow } from '../roll/roll.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { knownOf, originOf } from './list.ts'
import { pendingOf } from './pending-rows.ts'
import { personsIn } from './persons.ts'
import { rollOf } from './roll.ts'

const time = `data ->> 'subscribedAt'`
const columns = `SELECT id, data ->> 'email' AS email, ${time} AS at FROM documents`

export function sqlitePeople(database: SqliteDatabase, addressIds: AddressIds): People {
  const roll = rollOf(database)

  /** Nothing of somebody who cannot be read. */
  function listed(sql: Sql, { id, email, at }: RollRow): PersonListed[] {
    const kept = personsIn(sql, addressIds).numbered(id)
    if (!kept || kept.person === unreadable) return []
    const { extra: _, ...known } = knownOf(kept.person)
    const source = sourceOf(kept.person)
    return [
      {
        ...{ email, addressId: kept.addressId, subscribedAt: new Date(at) },
        ...known,
        ...(source && { source }),
        ...originOf(kept.person),
      },
    ]
  }

  /** The people of a time range, whose order the file has already. */
  function inOrder({ since, until, after, limit }: PeopleWanted): Promise<PeoplePage> {
    const bounds = { since: since?.toISOString() ?? '', until: until?.toISOString() ?? '~' }
    const place = placeIn(after)
    return database.read((sql) => {
      const wanted = `${time} >= :since AND ${time} < :until`
      const last = place && { at: isoOf(place.at), id: place.id }
      const order = `ORDER BY ${time} DESC, id DESC LIMIT ${limit + 1}`
      // Rows of the last one's own time by a separate query, since an import may bring a million.
      const same = last
        ? sql(`${columns} WHERE ${time} = :at AND id < :id ORDER BY id DESC LIMIT ${limit + 1}`)
            .all(last)
            .filter(({ at }) => String(at) >= bounds.since && String(at) < bounds.until)
        : []
      const until = last && last.at < bounds.until ? last.at : bounds.until
      const older = sql(`${columns} WHERE ${wanted} ${order}`).all({ ...bounds, until })
      const rows = [...same, ...older].slice(0, limit + 1).map(rowIn)
      const people = rows.slice(0, limit).flatMap((row) => listed(sql, row))
      const rest = { found: people.length, isMore: rows.length > limit }
      const counted = place ? rest : countOf(sql, wanted, bounds)
      return { people, ...placeAfter(rows, limit), ...counted }
    })
  }

  function countOf(sql: Sql, wanted: string, bounds: { since: string; until: string }) {
    const isAll = bounds.since === '' && bounds.until === '~'
    // The whole list is counted from one index; a part, row by row.
    const count = isAll
      ? sql('SELECT count(*) AS n FROM documents').get()
      : sql(`
          SELECT count(*) AS n FROM (
            SELECT 1 FROM documents WHERE ${wanted} LIMIT ${MOST_COUNTED + 1})`).get(bounds)
    const found = Number(count?.n)
    if (isAll || found <= MOST_COUNTED) return { found, isMore: false }
    return { found: MOST_COUNTED, isMore: true }
  }

  async function searched(wanted: PeopleWanted): Promise<PeoplePage> {
    const { part, standing, source, isAnswer, since, until, after, limit, signal } = wanted
    const all = await roll.current(signal)
    const [from, to] = [since?.getTime() ?? Number.NEGATIVE_INFINITY, until?.getTime()]
    const place = placeIn(after)
    const only = await numbersUnder(standing, source)
    const said = isAnswer && (await numbersWith(isAnswer))

    const look = (some: readonly RollEntry[]) =>
      database.read((sql) =>
        some.filter((entry) => {
          if (entry.at < from || (to !== undefined && entry.at >= to)) return false
          if (only && !only.has(entry.id)) return false
          if (said && !said.has(entry.id)) return false
          // The roll may be out of date.
          if (!roll.isStill(sql, entry)) return false
          if (standing === undefined) return true
          const { person = unreadable } = personsIn(sql, addressIds).numbered(entry.id) ?? {}
          return person !== unreadable && standingOf(person) === standing
        }),
      )
    const candidates = all.matching(part, place ?? (to === undefined ? undefined : newest(to)))
    const { taken, found, isMore } = await takePage(
      candidates,
      look,
      { limit: limit + 1, most: place ? undefined : (said ?? only)?.size },
      signal,
    )
    const people = await database.read((sql) =>
      taken.slice(0, limit).flatMap((one) => listed(sql, one)),
    )
    return { people, ...placeAfter(taken, limit), found, isMore }
  }

  /** The numbers of those who match a filter, where they are few; `subscribed` is the rest. */
  async function numbersUnder(standing: Standing | undefined, source: string | undefined) {
    // The tags of all sources with this name begin alike.
    const first = sourceTag({ source: source ?? null }).slice(0, -',null,null]'.length)
    if (source !== undefined) return numbers(`tag >= ? AND tag < ?`, `${first},`, `${first}-`)
    if (standing === undefined || standing === 'subscribed') return undefined
    const [is, imported] = standingTags(standing)
    return numbers('tag IN (?, ?)', is, imported)
  }

  const numbers = (where: string, ...values: string[]) =>
    database.read((sql) => {
      const statement = sql(`SELECT number FROM places JOIN persons USING (n) WHERE ${where}`)
      statement.setReturnArrays(true)
      return new Set((statement.all(...values) as unknown as [number][]).map(([one]) => one))
    })

  /** Those who gave an answer that is looked for. */
  const numbersWith = (isAnswer: (answer: string) => boolean) =>
    database.read((sql) => {
      // One by one, since all of a large list together would fill the memory.
      const rows = sql('SELECT number, data FROM places JOIN persons USING (n) WHERE tag = ?')
      const found = new Set<number>()
      for (const { number, data } of rows.iterate(REPLIED)) {
        const person = personIn(data)
        const answer = person === unreadable ? undefined : answerIn(person.fields)
        if (answer !== undefined && number !== null && isAnswer(answer)) found.add(Number(number))
      }
      return found
    })

  return {
    page: (wanted) =>
      wanted.part === undefined &&
      !wanted.standing &&
      wanted.source === undefined &&
      !wanted.isAnswer
        ? inOrder(wanted)
        : searched(wanted),

    async addressOf(addressId) {
      if (!isAddressId(addressId)) return undefined
      return database.read((sql) => {
        const { email } = personsIn(sql, addressIds).of(addressId)
        if (email !== undefined) return email
        const told = sql(`
          SELECT email FROM deliveries WHERE addressId = ? AND email IS NOT NULL LIMIT 1`)
        const row = told.get(addressId)
        return pendingOf(sql, addressId)?.email ?? (row && String(row.email))
      })
    },
  }
}

/** The place before the first row of this time or later. */
const newest = (to: number): Place => ({ at: to, id: 0 })

/** An impossible time sorts after all real ones. */
const isoOf = (at: number) => (at <= 8.64e15 ? new Date(at).toISOString() : '~')

function rowIn(row: Readonly<Record<string, unknown>>): RollRow {
  return { id: Number(row.id), at: Date.parse(String(row.at)), email: String(row.email) }
}
