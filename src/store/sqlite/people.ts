import { type AddressIds, isAddressId } from '../../keys/address-id.ts'
import { sourceFrom } from '../../shared/source.ts'
import { answerIn } from '../answers.ts'
import { extraFrom } from '../extra.ts'
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
import { originOf, pageTime } from './imported.ts'
import { knownOf, pendingOf } from './known.ts'
import { rollOf } from './roll.ts'

/** Searching this many of the newest is quicker than reading all. */
const NEWEST = 1000
const RECENT = 5000

const time = `data ->> 'subscribedAt'`
const columns = `SELECT id, data ->> 'email' AS email, ${time} AS at FROM documents`

export function sqlitePeople(database: SqliteDatabase, addressIds: AddressIds): People {
  const roll = rollOf(database, addressIds)
  /** People who were shown lately, and are likely to be opened. */
  const recent = new Map<string, string>()

  function listed(sql: Sql, { email, at }: RollRow, addressId: string): PersonListed {
    recent.delete(addressId)
    recent.set(addressId, email)
    for (const oldest of recent.keys()) {
      if (recent.size <= RECENT) break
      recent.delete(oldest)
    }
    const { extra: _, ...known } = knownOf(sql, addressId)
    const row = sql('SELECT source, medium, campaign FROM sources WHERE addressId = ?')
    const source = sourceFrom(row.get(addressId))
    const page = sql(`SELECT ${pageTime} AS page FROM documents WHERE data ->> 'email' = ?`)
    return {
      email,
      addressId,
      subscribedAt: new Date(at),
      ...known,
      ...(source && { source }),
      ...originOf(page.get(email)?.page),
    }
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
      const people = rows.slice(0, limit).map((row) => listed(sql, row, addressIds.of(row.email)))
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
    const only = await idsOf(standing, source)
    const said = isAnswer && (await idsWith(isAnswer))

    const look = (some: readonly RollEntry[]) =>
      database.read((sql) => {
        const found: (RollEntry & { addressId?: string })[] = []
        for (const entry of some) {
          if (entry.at < from || (to !== undefined && entry.at >= to)) continue
          const addressId = standing || source || said ? all.addressIdOf(entry) : undefined
          if (addressId && only && !only.has(addressId)) continue
          if (addressId && said && !said.has(addressId)) continue
          // The roll may be out of date.
          if (!roll.isStill(sql, entry)) continue
          if (standing && addressId && knownOf(sql, addressId).standing !== standing) continue
          found.push({ ...entry, ...(addressId && { addressId }) })
        }
        return found
      })
    const candidates = all.matching(part, place ?? (to === undefined ? undefined : newest(to)))
    const { taken, found, isMore } = await takePage(
      candidates,
      look,
      { limit: limit + 1, most: place ? undefined : (said ?? only)?.size },
      signal,
    )
    const people = await database.read((sql) =>
      taken
        .slice(0, limit)
        .map((one) => listed(sql, one, one.addressId ?? addressIds.of(one.email))),
    )
    return { people, ...placeAfter(taken, limit), found, isMore }
  }

  /** The ids that match a filter, where they are few; `subscribed` is the rest. */
  async function idsOf(standing: string | undefined, source: string | undefined) {
    if (source !== undefined) return ids('SELECT addressId FROM sources WHERE source = ?', source)
    if (standing !== undefined && standing !== 'subscribed')
      return ids('SELECT addressId FROM standings WHERE standing = ?', standing)
    return undefined
  }

  /** Those who gave an answer that is looked for. */
  const idsWith = (isAnswer: (answer: string) => boolean) =>
    database.read((sql) => {
      const rows = sql(`
        SELECT addressId, fields FROM extras
        WHERE iif(json_valid(fields), fields ->> '$.answer', NULL) IS NOT NULL`).iterate()
      const ids = new Set<string>()
      for (const { addressId, fields } of rows) {
        const answer = answerIn(extraFrom(fields))
        if (answer !== undefined && isAnswer(answer)) ids.add(String(addressId))
      }
      return ids
    })

  const ids = (text: string, value: string) =>
    database.read((sql) => {
      const statement = sql(text)
      statement.setReturnArrays(true)
      return new Set((statement.all(value) as unknown as [string][]).map(([id]) => id))
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
      const isListed = (sql: Sql, email: string) =>
        sql(`SELECT 1 FROM documents WHERE data ->> 'email' = ?`).get(email) !== undefined
      const known = await database.read((sql) => {
        const shown = recent.get(addressId)
        if (shown !== undefined && isListed(sql, shown)) return shown
        const told = sql('SELECT email FROM deliveries WHERE addressId = ? LIMIT 1').get(addressId)
        const asked = pendingOf(sql, addressId)?.email
        if (asked !== undefined || told?.email) return asked ?? String(told?.email)
        // Forgotten addresses are not found, unless they are back.
        const rows = sql(`${columns} ORDER BY ${time} DESC, id DESC LIMIT ${NEWEST}`).all()
        return rows.map((row) => String(row.email)).find((one) => addressIds.of(one) === addressId)
      })
      if (known !== undefined) return known
      const isForgotten = await database.read(
        (sql) => knownOf(sql, addressId).standing === 'forgotten',
      )
      if (isForgotten) return undefined
      const all = await roll.current()
      const { taken } = await takePage(
        all.matching(undefined),
        (some) =>
          database.read((sql) =>
            some.filter((one) => all.addressIdOf(one) === addressId && roll.isStill(sql, one)),
          ),
        { limit: 1, most: 1 },
        undefined,
      )
      return taken[0]?.email
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
