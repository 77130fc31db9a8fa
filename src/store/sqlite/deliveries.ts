import { type NoKind, nobody, pageTimeOf } from '../../people/person.ts'
import { storedTime } from '../../shared/stored-json.ts'
import type {
  Announcement,
  Delivery,
  DeliveryStatus,
  Lately,
  LatelyOf,
  LetterTo,
  NumberRange,
  Recipient,
  SuppressionReason,
} from '../delivery-ledger.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { deliveriesTo } from './delivery-rows.ts'
import { knownOf, listed } from './list.ts'
import type { OpenList } from './open-list.ts'
import { inRecord } from './own-collection.ts'
import { inPages, rowsOf } from './paged-rows.ts'
import { type Kept, keptIn, type Persons } from './persons.ts'

/** Few: V8 takes more memory the more it finds alive each time when it collects what is young. */
const PAGE = 100
const BEFORE_ALL = Number.MIN_SAFE_INTEGER
/** To read each of them takes less than a tenth of a second. */
const FEW = 5000

const numbersIn = (rows: readonly Row[]) =>
  rows.map(({ number }) => Number(number)).sort((a, b) => a - b)

/** The part of the ledger that reads. */
export function sqliteDeliveries(list: OpenList) {
  return {
    /**
     * Everybody on the list in the order in which they came, in pages. Those who come meanwhile may be
     * given, and those who are forgotten may not.
     */
    everybody: (range: NumberRange = {}) => everybody(list, range),

    ...numbers(list),

    /**
     * What became of the last letters of an announcement.
     *
     * @param most how many of the last are looked at. @param since letters from before do not count.
     */
    lately: (id: string, most: LatelyOf, since = new Date(0)): Promise<Lately> =>
      list.readPersons((persons) => lately(persons, id, most, since)),

    /**
     * The recipients of all announcements since a time, sent or uncertain; without the address if it
     * was forgotten.
     */
    toldSince: (time: Date) => toldSince(list, time),

    /** The rows in a stable order of the store's own, in constant memory. */
    async *deliveries(id: string, status?: DeliveryStatus): AsyncIterable<Delivery> {
      const query = `
        SELECT number AS id, *, ${emailOf} AS email FROM deliveries
        WHERE announcement = :announcement AND (:status IS NULL OR status = :status)
          AND number > :last`
      const values = { announcement: id, status: status ?? null }
      for await (const row of rowsOf(list, query, BEFORE_ALL, values)) yield toDelivery(row)
    },

    /** The deliveries to an address, newest first. */
    deliveriesTo: (email: string): Promise<Delivery[]> =>
      list.readPersons(({ sql, ids, get }) => {
        const { number } = get(ids.of(email)) ?? {}
        if (number === undefined) return []
        return deliveriesTo(sql, number).map((row) => toDelivery({ ...row, email }))
      }),
  }
}

/** Whom `everybody` need not be asked for. */
function numbers(database: SqliteDatabase) {
  return {
    /** The numbers of those who are found under the tag of a field, rising. */
    under: (tag: string): Promise<number[]> =>
      database.read((sql) =>
        numbersIn(sql('SELECT number FROM places JOIN persons USING (n) WHERE tag = ?').all(tag)),
      ),

    /**
     * The numbers, rising, of those up to its cut-off who did not get an announcement, by their row;
     * `undefined` where they are more than a few thousand, or not all have their row.
     */
    async untold({ id, upTo, tally, eligible }: Announcement): Promise<number[] | undefined> {
      const { queued, failed, suppressed } = tally
      if (eligible === undefined || queued + failed + suppressed > FEW) return undefined
      return database.read((sql) =>
        numbersIn(
          sql(`
            SELECT number FROM deliveries
            WHERE announcement = ? AND status IN ('queued', 'failed', 'suppressed')
              AND number <= ?`).all(id, upTo),
        ),
      )
    },

    /** How many people may have got one of several announcements, without the forgotten. */
    countTold: (ids: readonly string[]): Promise<number> =>
      database.read((sql) => {
        const told = sql(`
          SELECT count(DISTINCT number) AS people FROM deliveries
          WHERE announcement IN (SELECT value FROM json_each(?)) AND status IN ('sent', 'uncertain')`)
        return Number(told.get(JSON.stringify(ids))?.people)
      }),
  }
}

async function* everybody(
  database: SqliteDatabase,
  { after = 0, upTo = Number.MAX_SAFE_INTEGER, among }: NumberRange,
): AsyncIterable<readonly Recipient[]> {
  for (let at = 0; among && at < among.length; at += PAGE) {
    const some = among.slice(at, at + PAGE)
    const page = await database.read((sql) =>
      some.flatMap((number) => pageOf(sql, number - 1, number)),
    )
    if (page.length > 0) yield page
  }
  const next = (last: Recipient | undefined) =>
    database.read((sql) => pageOf(sql, last?.number ?? after, upTo))
  if (!among) yield* inPages(PAGE, next)
}

async function* toldSince(database: SqliteDatabase, time: Date): AsyncIterable<Date> {
  const query = `
    SELECT number AS id, changedAt FROM deliveries
    WHERE announcement = :announcement AND changedAt >= :since AND number > :last
      AND (status IN ('sent', 'uncertain', 'sending') OR (status = 'forgotten' AND tries > 0))`
  const announcements = await database.read((sql) => sql('SELECT id FROM announcements').all())
  for (const { id: announcement = null } of announcements) {
    const values = { announcement, since: time.toISOString() }
    for await (const { changedAt } of rowsOf(database, query, BEFORE_ALL, values))
      yield timeOf(changedAt)
  }
}

type Row = Readonly<Record<string, unknown>>

/** The address of a row, in SQL; of one who was erased there is none. */
const emailOf = `(SELECT ${inRecord('email')} FROM documents WHERE id = deliveries.number)`

function lately(persons: Persons, id: string, most: LatelyOf, since: Date): Lately {
  const statement = persons.sql(`
    SELECT number, status, turn FROM deliveries
    WHERE announcement = ? AND status = ? AND (tries > 0) = 1 AND turn > ?
    ORDER BY turn DESC LIMIT ?`)
  const last = (statuses: readonly DeliveryStatus[], limit: number) =>
    statuses
      .flatMap((status) => statement.all(id, status, since.getTime(), limit))
      .sort((a, b) => Number(b.turn) - Number(a.turn))
      .slice(0, limit)
  const hasNo = ({ number, turn }: Row, kinds: readonly NoKind[]) => {
    const { noes } = persons.numbered(Number(number))?.person ?? nobody
    return kinds.some((kind) => Number(noes[kind]?.at ?? 0) > Number(turn))
  }
  const isGone = ({ status }: Row) => status === 'forgotten'
  const tried = last(['sent', 'uncertain', 'failed', 'forgotten'], most.tried)
  const told = last(['sent', 'uncertain', 'forgotten'], most.told)
  const failed = tried.filter(
    (row) => row.status === 'failed' || isGone(row) || hasNo(row, ['bounced']),
  )
  const left = told.filter((row) => isGone(row) || hasNo(row, ['unsubscribed', 'complained']))
  return { tried: tried.length, failed: failed.length, told: told.length, left: left.length }
}

/** The next people in the order of their numbers, with their rows. */
function pageOf(sql: Sql, last: number, upTo: number): Recipient[] {
  // As arrays: each row that is an object leaves a hidden class in V8's memory.
  const next = sql(`
    SELECT n, id, number, data FROM persons WHERE number > ? AND number <= ?
    ORDER BY number LIMIT ${PAGE}`)
  next.setReturnArrays(true)
  const people = (next.all(last, upTo) as unknown as unknown[][]).map(([n, id, number, data]) =>
    keptIn({ n, id, number, data }),
  )
  const letters = new Map<unknown, LetterTo[]>()
  const rows = sql(`
    SELECT number, announcement, status, tries, standing, changedAt FROM deliveries
    WHERE announcement IN (SELECT id FROM announcements) AND number > ? AND number <= ?`)
  rows.setReturnArrays(true)
  const found = rows.all(last, people.at(-1)?.number ?? last) as unknown as LetterRow[]
  for (const [number, announcement, status, tries, standing, changedAt] of found) {
    const letter = { announcement, status, tries, standing: standing ?? undefined, changedAt }
    const others = letters.get(number)
    if (others) others.push(letter)
    else letters.set(number, [letter])
  }
  return people.map((one) => recipient(sql, one, letters.get(one.number) ?? []))
}

type LetterRow = [
  number: number,
  announcement: string,
  status: DeliveryStatus,
  tries: number,
  standing: SuppressionReason | null,
  changedAt: string,
]

/** One who cannot be read is held, and not left out: the balance of an announcement counts everybody. */
function recipient(
  sql: Sql,
  { number = 0, person: one }: Kept,
  letters: readonly LetterTo[],
): Recipient {
  const known = { email: '', subscribedAt: new Date(0), ...knownOf(one) }
  return { number, letters, signedUpAt: pageTimeOf(one), ...(listed(sql, number, one) ?? known) }
}

/** Anybody may have written it: what is no time is long ago. */
export const timeOf = (stored: unknown): Date => storedTime(stored) ?? new Date(0)

function toDelivery(row: Row): Delivery {
  return {
    announcement: String(row.announcement),
    email: row.email === null ? undefined : String(row.email),
    status: row.status as DeliveryStatus,
    tries: Number(row.tries),
    changedAt: timeOf(row.changedAt),
    answer: row.answer === null ? undefined : String(row.answer),
    ...(row.standing !== null && { standing: row.standing as SuppressionReason }),
    ...(row.language !== null && { language: String(row.language) }),
  }
}
