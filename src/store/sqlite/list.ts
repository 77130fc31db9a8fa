import type { StatementSync } from 'node:sqlite'
import type { AddressIds } from '../../keys/address-id.ts'
import { imported, sayNo, withMore, withSource } from '../../people/changes.ts'
import {
  extraOf,
  isOnList,
  type Person,
  pageTimeOf,
  subscribedAtOf,
  whyNotMailed,
} from '../../people/person.ts'
import { standingTags } from '../../people/places.ts'
import { cleanDetail } from '../../people/standing.ts'
import { personIn, readable, unreadable } from '../../people/stored.ts'
import { isProbeAddress } from '../../shared/probe-address.ts'
import { objectIn } from '../../shared/stored-json.ts'
import { storedTime } from '../../shared/stored-time.ts'
import type { GrowthCounts } from '../growth.ts'
import {
  type ImportedSubscriber,
  type ImportOutcome,
  isSelected,
  type ListedSubscriber,
  leftAt,
  type Selection,
  type SubscriberList,
} from '../subscriber-list.ts'
import { writeBound } from './bound.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { noteKey } from './inbox-rows.ts'
import { personsIn } from './persons.ts'
import { type Place, pagesUnder } from './persons-under.ts'
import { withoutErased } from './standings.ts'

const PAGE = 500

export function sqliteList(
  database: SqliteDatabase,
  addressIds: AddressIds,
): SubscriberList & Pick<GrowthCounts, 'newest'> {
  return {
    stream: (selection = {}) => stream(database, selection),
    signedUpSince: (time) => signedUpSince({ database, addressIds }, time),
    newest: (limit) => database.read((sql) => newest(sql, limit)),

    importAll: (subscribers) =>
      writeBound(database, addressIds, (sql) => {
        const now = new Date()
        return subscribers.map((one) => importOne(sql, addressIds, one, now))
      }),

    addFields: (people) =>
      writeBound(database, addressIds, (sql) => {
        const persons = personsIn(sql, addressIds)
        for (const { addressId, fields } of people)
          persons.change(addressId, (one) => (isOnList(one) ? withMore(one, fields) : one))
      }),
  }
}

/** As they came on the list; those who wait to be taken in come to it last. */
async function* stream(
  database: SqliteDatabase,
  selection: Selection,
): AsyncIterable<ListedSubscriber> {
  for (const [text, read] of [
    [`${PERSONS} WHERE number > ? ORDER BY number`, listed],
    ['SELECT id, data FROM documents WHERE waits AND id > ? ORDER BY id', waiting],
  ] as const)
    for (let last = 0; ; ) {
      // In pages, because the write-ahead log cannot be written back while a read is open.
      const [page, people] = await database.read((sql) => {
        const page = rows(sql(`${text} LIMIT ${PAGE}`), last)
        return [page, page.map((row) => read(sql, row))] as const
      })
      for (const one of people) if (one && isIn(one, selection)) yield one
      if (page.length < PAGE) break
      last = page.at(-1)?.[0] ?? last
    }
}

function isIn({ subscribedAt, standing }: ListedSubscriber, selection: Selection): boolean {
  const { since, until } = selection
  if ((since && subscribedAt < since) || (until && subscribedAt >= until)) return false
  return isSelected(standing, selection)
}

/** Of somebody who cannot be read, the record says it: they are on the list. */
export function listed(sql: Sql, [number, data]: Row): ListedSubscriber | undefined {
  const found = personIn(data)
  const one = readable(found)
  const record = found === unreadable ? recordOf(sql, number) : undefined
  const [email, subscribedAt] = [record?.email ?? one.email, record?.at ?? subscribedAtOf(one)]
  if (email === undefined || !subscribedAt) return undefined
  return { email, subscribedAt, ...knownOf(one) }
}

function recordOf(sql: Sql, number: number) {
  const row = sql('SELECT data FROM documents WHERE id = ?').get(number)
  return row && recordIn(row.data)
}

/** Somebody who waits to be taken in. */
function waiting(_: Sql, [, data]: Row): ListedSubscriber | undefined {
  const { email, at } = recordIn(data)
  if (email === undefined || !at) return undefined
  return { email, subscribedAt: at, standing: 'subscribed' }
}

/** Anybody may have written it. */
function recordIn(data: unknown) {
  const { email, subscribedAt } = objectIn(data) ?? {}
  return { email: typeof email === 'string' ? email : undefined, at: storedTime(subscribedAt) }
}

const PERSONS = 'SELECT number, data FROM persons'

const newest = (sql: Sql, limit: number) =>
  rows(sql(`${PERSONS} WHERE number IS NOT NULL ORDER BY number DESC LIMIT ?`), limit).flatMap(
    (row) => {
      const one = listed(sql, row)
      return one ? [{ ...one, ...originOf(readable(personIn(row[1]))) }] : []
    },
  )

/** Who cannot be read may not be written to. */
async function* signedUpSince(place: Place, time: Date): AsyncIterable<string> {
  for await (const page of pagesUnder(place, standingTags('subscribed')[0], { since: time }))
    for (const { person } of page)
      if (person !== unreadable && person.email !== undefined) yield person.email
}

function importOne(
  sql: Sql,
  addressIds: AddressIds,
  subscriber: ImportedSubscriber,
  now: Date,
): ImportOutcome {
  const { email, subscribedAt, standing = 'subscribed', detail, extra, source } = subscriber
  if (isProbeAddress(email)) return 'known'
  const heard = withoutErased(sql, addressIds, extra)
  const changed = personsIn(sql, addressIds).change(addressIds.of(email), (one) => {
    const on = imported(one, email, subscribedAt)
    if (!isOnList(on)) return one
    const isNo = standing !== 'subscribed' && !(standing === 'quarantined' && isOnList(one))
    if (isNo) noteKey(sql, addressIds, email)
    const at = leftAt(subscriber, now)
    const said = isNo ? sayNo(on, standing, { at, detail: cleanDetail(detail) }) : on
    return withMore(source ? withSource(said, source) : said, heard)
  })
  if (!changed) return 'known'
  if (!isOnList(changed.after)) return 'forgotten'
  return isOnList(changed.before) ? 'known' : 'added'
}

/** The data of a subscriber beyond the record. */
export function knownOf(one: Person): Omit<ListedSubscriber, 'email' | 'subscribedAt'> {
  const { standing, at, detail } = whyNotMailed(one) ?? {}
  const extra = extraOf(one)
  return {
    standing: standing ?? 'subscribed',
    ...(at && { standingAt: at }),
    ...(detail !== undefined && { detail }),
    ...(extra && { extra }),
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
