import { setImmediate as turn } from 'node:timers/promises'
import { sourceTag, standingTags } from '../../people/index-tags.ts'
import { REPLIED } from '../../people/known-fields.ts'
import type { Person } from '../../people/person.ts'
import { personIn } from '../../people/stored.ts'
import { replyIn } from '../../shared/reply.ts'
import { MOST_COUNTED, type PeoplePage, type PeopleWanted, type PersonListed } from '../people.ts'
import type { ListedSubscriber } from '../subscriber-list.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { everybodyIn } from './growth.ts'
import { listed, originOf } from './list.ts'
import type { OpenList } from './open-list.ts'
import { inRecord } from './own-collection.ts'
import { inPages } from './paged-rows.ts'

/** Records that are looked at in one turn of the event loop: some milliseconds. */
const SLICE = 4000
/** How long counting goes on once the page is full. */
const COUNTING_MS = 60

/** Somebody on the list, by their number. */
interface Row {
  readonly number: number
  readonly one: PersonListed
}

/**
 * The list is browsed in the order of its numbers, who came last first, and searched by reading its
 * records: an index of parts of addresses would slow every sign-up. Each method throws StoreUnavailable.
 */
export function sqlitePeople(list: OpenList) {
  return {
    /** A page of those on the list. @throws the reason of `signal` when that ends it. */
    async page(wanted: PeopleWanted): Promise<PeoplePage> {
      const { limit, after, signal } = wanted
      const rows: Row[] = []
      let [found, fullSince, isMore] = [0, Number.POSITIVE_INFINITY, false]
      const isAll = isEverybody(wanted)
      const sliceOf = slices(list, wanted, isAll ? limit + 1 : SLICE)
      for (let before = placeIn(after); ; ) {
        signal?.throwIfAborted()
        const { rows: some, next } = await sliceOf(before)
        found += some.length
        rows.push(...some.slice(0, limit + 1 - rows.length))
        const now = performance.now()
        if (rows.length > limit) fullSince = Math.min(fullSince, now)
        isMore = next !== undefined || found > MOST_COUNTED
        const isEnough = rows.length > limit && (isAll || now - fullSince > COUNTING_MS)
        if (next === undefined || isEnough || found > MOST_COUNTED) break
        before = next
        await turn()
      }
      const last = rows.length > limit ? rows[limit - 1] : undefined
      return {
        people: rows.slice(0, limit).map(({ one }) => one),
        ...(last && { next: String(last.number) }),
        ...{ found: Math.min(found, MOST_COUNTED), isMore },
        ...(isAll && !after && { found: await list.read(everybodyIn), isMore: false }),
      }
    },

    /** All that is known by an id; of who cannot be read, nothing. */
    of: (addressId: string): Promise<Person> =>
      list.readPersons((persons) => persons.of(addressId)),
  }
}

const isEverybody = ({ part, standing, source, isReply, since, until }: PeopleWanted) =>
  [part, standing, source, isReply, since, until].every((filter) => filter === undefined)

/** The number after which a page begins: a text of a page's address holds no address. */
function placeIn(after = ''): number {
  const number = /^\d{1,16}$/.test(after) ? Number(after) : Number.NaN
  return Number.isSafeInteger(number) ? number : Number.MAX_SAFE_INTEGER
}

/** How many numbers are known at a time: a few hundred kilobytes of memory. */
const MOST_NUMBERS = 50_000

/** The highest numbers below one, in their order, of those with a tag in these ranges. */
async function numbersBelow(
  database: SqliteDatabase,
  ranges: TagRanges,
  before: number,
  signal: AbortSignal | undefined,
): Promise<number[]> {
  let numbers: number[] = []
  const highest = () => numbers.sort((a, b) => b - a).slice(0, MOST_NUMBERS)
  for (const [first, last] of ranges)
    for await (const page of inPages<PlaceRow>(SLICE, (after = [first, '', 0, null]) =>
      database.read((sql) => placesIn(sql, after, last)),
    )) {
      for (const [, , , number] of page)
        if (number !== null && number < before) numbers.push(number)
      if (numbers.length > 2 * MOST_NUMBERS) numbers = highest()
      signal?.throwIfAborted()
    }
  return highest()
}

type TagRanges = readonly (readonly [first: string, last: string])[]

/** The tags of those places, from one to another. */
function rangesOf(
  standing: PeopleWanted['standing'],
  source: string | undefined,
  isAnswered: boolean,
): TagRanges | undefined {
  // The tags of all sources with this name begin alike.
  const from = sourceTag({ source: source ?? null }).slice(0, -',null,null]'.length)
  if (source !== undefined) return [[`${from},`, `${from}-`]]
  if (isAnswered) return [[REPLIED, REPLIED]]
  if (standing === undefined || standing === 'subscribed') return undefined
  const [is, imported] = standingTags(standing)
  return [
    [is, is],
    [imported, imported],
  ]
}

type PlaceRow = [tag: string, at: string, n: number, number: number | null]

function placesIn(sql: Sql, [tag, at, n]: PlaceRow, last: string): PlaceRow[] {
  const statement = sql(`
    SELECT tag, at, n, number FROM places JOIN persons USING (n)
    WHERE (tag, at, n) > (?, ?, ?) AND tag <= ? ORDER BY tag, at, n LIMIT ${SLICE}`)
  statement.setReturnArrays(true)
  return statement.all(tag, at, n, last) as unknown as PlaceRow[]
}

interface Slice {
  readonly rows: readonly Row[]
  /** Where the next slice begins; nothing after the last one. */
  readonly next: number | undefined
}

/** Gives those of the next few before a number who are wanted: by their places, where a place tells. */
function slices(database: SqliteDatabase, wanted: PeopleWanted, atOnce: number) {
  const { standing, source, isReply, signal } = wanted
  const ranges = rangesOf(standing, source, isReply !== undefined)
  let [numbers, isWhole]: [number[], boolean] = [[], false]
  return async (before: number): Promise<Slice> => {
    if (!ranges) return database.read((sql) => sliceOf(sql, before, atOnce, wanted))
    if (numbers.length === 0) {
      numbers = await numbersBelow(database, ranges, before, signal)
      isWhole = numbers.length < MOST_NUMBERS
    }
    const some = numbers.splice(0, atOnce)
    const find = columns('documents.id = ?')
    const rows = await database.read((sql) =>
      some.flatMap((number) => wantedIn(sql, sql(find).all(number), wanted)),
    )
    return { rows, next: isWhole && numbers.length === 0 ? undefined : some.at(-1) }
  }
}

/** The same of everybody. */
function sliceOf(sql: Sql, before: number, atOnce: number, wanted: PeopleWanted): Slice {
  const [slice] = sql(`
    SELECT min(id) AS last, count(*) AS n
    FROM (SELECT id FROM documents WHERE id < ? ORDER BY id DESC LIMIT ?)`).all(before, atOnce)
  const last = Number(slice?.last ?? 0)
  const { part, since, until } = wanted
  const found = sql(`
    ${columns('documents.id < :before AND documents.id >= :last')}
      AND (:part IS NULL OR instr(documents.data, :part) > 0)
      AND (:since IS NULL OR ${inRecord('subscribedAt')} >= :since)
      AND (:until IS NULL OR ${inRecord('subscribedAt')} < :until)
    ORDER BY documents.id DESC`).all({
    ...{ before, last, part: part === undefined ? null : inJson(part) },
    ...{ since: since?.toISOString() ?? null, until: until?.toISOString() ?? null },
  })
  return { rows: wantedIn(sql, found, wanted), next: slice?.n === atOnce ? last : undefined }
}

const columns = (where: string) => `
  SELECT number, persons.id AS addressId, persons.data AS person
  FROM documents JOIN persons ON number = documents.id WHERE ${where}`

/** As it stands within a text of JSON. */
const inJson = (part: string) => JSON.stringify(part).slice(1, -1)

function wantedIn(sql: Sql, rows: readonly Record<string, unknown>[], wanted: PeopleWanted): Row[] {
  return rows.flatMap(({ number: stored, addressId, person }) => {
    const number = Number(stored)
    const found = personIn(person)
    const one = listed(sql, number, found)
    if (!one || !isWanted(one, wanted)) return []
    const { extra: _, ...shown } = one
    return [{ number, one: { addressId: String(addressId), ...shown, ...originOf(found) } }]
  })
}

function isWanted(one: ListedSubscriber, wanted: PeopleWanted): boolean {
  const { part, standing, source, isReply, since, until } = wanted
  if (part !== undefined && !one.email.includes(part)) return false
  if ((since && one.subscribedAt < since) || (until && one.subscribedAt >= until)) return false
  if (standing !== undefined && one.standing !== standing) return false
  if (source !== undefined && one.source?.source !== source) return false
  const answer = isReply && replyIn(one.extra)
  return !isReply || (answer !== undefined && isReply(answer))
}
