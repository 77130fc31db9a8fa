import type { StatementSync } from 'node:sqlite'
import { imported, sayNo, withMore, withSource } from '../../people/changes.ts'
import type { Extra } from '../../people/extra-fields.ts'
import { standingTags } from '../../people/index-tags.ts'
import {
  extraOf,
  isOnList,
  type Person,
  pageTimeOf,
  sourceOf,
  subscribedAtOf,
  whyNotMailed,
} from '../../people/person.ts'
import { cleanDetail } from '../../people/standing.ts'
import { personIn, unreadable } from '../../people/stored.ts'
import { isProbeAddress } from '../../shared/probe-address.ts'
import { objectIn, storedTime } from '../../shared/stored-json.ts'
import {
  type ImportedSubscriber,
  type ImportOutcome,
  isSelected,
  type ListedSubscriber,
  leftAt,
  type Selection,
} from '../subscriber-list.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { type OpenList, pagesUnder } from './open-list.ts'
import { inPages } from './paged-rows.ts'
import type { Persons } from './persons.ts'
import { withoutErased } from './standings.ts'

const PAGE = 500

/**
 * The subscribers as a whole: the operator reads, exports and imports them. Each method throws
 * StoreUnavailable.
 */
export function sqliteList(list: OpenList) {
  return {
    /**
     * The subscribers as they came on the list, once each, in constant memory. Every subscriber who is
     * there from beginning to end is given, even if others are added or forgotten meanwhile.
     */
    async *stream(selection: Selection = {}): AsyncIterable<ListedSubscriber> {
      for await (const page of pages(list, selection)) yield* page
    },
    /** The same in pages, for who goes through a million: a turn for each takes a second. */
    pages: (selection: Selection = {}) => pages(list, selection),
    /** Addresses that may be written to, and were left at the page since then, in order. */
    signedUpSince: (since: Date) => signedUpSince(list, since),
    /** The latest sign-ups, newest first, robots included. */
    newest: (limit: number) => list.read((sql) => newest(sql, limit)),

    /**
     * Adds subscribers from elsewhere, each with its own time; of two times the earlier is kept. The
     * page's own figures stay as they are: the imported belong to none of its days. Forgotten addresses
     * do not come back, no standing is lifted, and departures from elsewhere are set as `standings.set`
     * does. Idempotent.
     *
     * @param subscribers a few hundred at most; the same address may come more than once.
     * @returns the outcome of each, in their order.
     */
    importAll: (subscribers: readonly ImportedSubscriber[]) =>
      list.writeOf(
        subscribers.map(({ email }) => list.ids.of(email)),
        (persons) => {
          const now = new Date()
          return subscribers.map((one) => importOne(persons, one, now))
        },
      ),

    /** Adds fields to people on the list, a few hundred at most; known ones stay. */
    addFields: (
      people: readonly { readonly addressId: string; readonly fields: Extra }[],
    ): Promise<void> =>
      list.writeOf(
        people.map(({ addressId }) => addressId),
        (persons) => {
          for (const { addressId, fields } of people)
            persons.change(addressId, (one) => (isOnList(one) ? withMore(one, fields) : one))
        },
      ),
  }
}

/** As they came on the list. */
async function* pages(
  database: SqliteDatabase,
  selection: Selection,
): AsyncIterable<ListedSubscriber[]> {
  const query = `${PERSONS} WHERE number > ? ORDER BY number LIMIT ${PAGE}`
  const next = (last: readonly [number: number, one: unknown] = [0, undefined]) =>
    database.read((sql) =>
      rows(sql(query), last[0]).map((row) => [row[0], rowListed(sql, row)] as const),
    )
  for await (const page of inPages(PAGE, next))
    yield page.flatMap(([, one]) => (one && isIn(one, selection) ? one : []))
}

function isIn({ subscribedAt, standing }: ListedSubscriber, selection: Selection): boolean {
  const { since, until } = selection
  if ((since && subscribedAt < since) || (until && subscribedAt >= until)) return false
  return isSelected(standing, selection)
}

const rowListed = (sql: Sql, [number, data]: Row) => listed(sql, number, personIn(data))

/** Of somebody who cannot be read, the record says it: they are on the list. */
export function listed(sql: Sql, number: number, one: Person): ListedSubscriber | undefined {
  const record = one === unreadable ? recordOf(sql, number) : undefined
  const [email, subscribedAt] = [record?.email ?? one.email, record?.at ?? subscribedAtOf(one)]
  if (email === undefined || !subscribedAt) return undefined
  return { email, subscribedAt, ...knownOf(one) }
}

function recordOf(sql: Sql, number: number) {
  const row = sql('SELECT data FROM documents WHERE id = ?').get(number)
  return row && recordIn(row.data)
}

/** Anybody may have written it. */
function recordIn(data: unknown) {
  const { email, subscribedAt } = objectIn(data) ?? {}
  return { email: typeof email === 'string' ? email : undefined, at: storedTime(subscribedAt) }
}

const PERSONS = 'SELECT number, data FROM persons'

const newest = (sql: Sql, limit: number): ListedSubscriber[] =>
  rows(sql(`${PERSONS} WHERE number IS NOT NULL ORDER BY number DESC LIMIT ?`), limit).flatMap(
    (row) => rowListed(sql, row) ?? [],
  )

/** Who cannot be read may not be written to. */
async function* signedUpSince(database: SqliteDatabase, since: Date) {
  for await (const page of pagesUnder(database, standingTags('subscribed')[0], { since }))
    for (const { person } of page) if (person.email !== undefined) yield person.email
}

function importOne(persons: Persons, subscriber: ImportedSubscriber, now: Date): ImportOutcome {
  const { email, subscribedAt, standing = 'subscribed', detail, extra, source } = subscriber
  if (isProbeAddress(email)) return 'known'
  const heard = withoutErased(persons, extra)
  const happens = (one: Person) => {
    const on = imported(one, email, subscribedAt)
    if (!isOnList(on)) return one
    const isNo = standing !== 'subscribed' && !(standing === 'quarantined' && isOnList(one))
    const at = leftAt(subscriber, now)
    const said = isNo ? sayNo(on, standing, { at, detail: cleanDetail(detail) }) : on
    return withMore(source ? withSource(said, source) : said, heard)
  }
  const changed = persons.change(persons.ids.of(email), happens, { email })
  if (!changed) return 'known'
  if (!isOnList(changed.after)) return 'forgotten'
  return isOnList(changed.before) ? 'known' : 'added'
}

/** The data of a subscriber beyond the record. */
export function knownOf(one: Person): Omit<ListedSubscriber, 'email' | 'subscribedAt'> {
  const [why, extra, source] = [whyNotMailed(one), extraOf(one), sourceOf(one)]
  // Most of a million.
  if (!why && !extra && !source) return { standing: 'subscribed' }
  const { standing = 'subscribed', at, detail } = why ?? {}
  return {
    standing,
    ...(at && { standingAt: at }),
    ...(detail !== undefined && { detail }),
    ...(extra && { extra }),
    ...(source && { source }),
  }
}

/** Set for those who came by an import, and never signed up at the page. */
export const originOf = (one: Person): { readonly isImported?: true } =>
  isOnList(one) && !pageTimeOf(one) ? { isImported: true } : {}

type Row = readonly [number: number, data: string]

/** As arrays: each row that is an object leaves a hidden class in V8's memory. */
function rows(statement: StatementSync, ...parameters: number[]): Row[] {
  statement.setReturnArrays(true)
  return statement.all(...parameters) as unknown as Row[]
}
