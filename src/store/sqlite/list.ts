import type { StatementSync } from 'node:sqlite'
import type { AddressIds } from '../../keys/address-id.ts'
import { imported, sayNo, withMore, withSource } from '../../people/changes.ts'
import {
  extraOf,
  isOnList,
  nobody,
  type Person,
  pageTimeOf,
  subscribedAtOf,
  whyNotMailed,
} from '../../people/person.ts'
import { standingTags } from '../../people/places.ts'
import { cleanDetail, type Standing, standings } from '../../people/standing.ts'
import { personIn, readable } from '../../people/stored.ts'
import { isProbeAddress } from '../../shared/probe-address.ts'
import { storedTime } from '../../shared/stored-time.ts'
import type { GrowthCounts } from '../growth.ts'
import {
  type ImportedSubscriber,
  type ImportOutcome,
  isSelected,
  type ListedSubscriber,
  leftAt,
  noneOfEach,
  type Selection,
  type SubscriberList,
  type TimeRange,
} from '../subscriber-list.ts'
import { writeBound } from './bound.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { countedStandings } from './growth.ts'
import { noteKey } from './inbox-rows.ts'
import { inRecord } from './own-collection.ts'
import { personsIn } from './persons.ts'
import { withoutErased } from './standings.ts'

const PAGE = 500

const time = inRecord('subscribedAt')
const columns = `
  SELECT documents.id, ${inRecord('email')}, ${time}, persons.data
  FROM documents LEFT JOIN persons ON number = documents.id`

export function sqliteList(
  database: SqliteDatabase,
  addressIds: AddressIds,
): SubscriberList & Pick<GrowthCounts, 'newest'> {
  async function* stream(selection: Selection = {}): AsyncIterable<ListedSubscriber> {
    for await (const one of listed(database, selection))
      if (isSelected(one.standing, selection)) yield one
  }

  async function countByStanding(range: TimeRange = {}) {
    if (!range.since && !range.until) return database.read(countedStandings)
    const counts: Record<Standing, number> = noneOfEach()
    for await (const { standing } of listed(database, range)) counts[standing] += 1
    return counts
  }

  return {
    stream,
    signedUpSince: (time) => signedUpSince(database, time),
    countByStanding,
    newest: (limit) => database.read((sql) => newest(sql, limit)),

    async countIn(selection) {
      if (selection.standing === 'all') return database.read((sql) => countAll(sql, selection))
      const counts = await countByStanding(selection)
      return standings
        .filter((standing) => isSelected(standing, selection))
        .reduce((sum, standing) => sum + counts[standing], 0)
    },

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

/** The subscribers of a range, as they came on the list. */
async function* listed(
  database: SqliteDatabase,
  range: TimeRange,
): AsyncIterable<ListedSubscriber> {
  const { since, until } = bounds(range)
  for (let last = 0; ; ) {
    // In pages, because the write-ahead log cannot be written back while a read is open.
    const page = await database.read((sql) =>
      rows(sql(`${columns} WHERE documents.id > ? ORDER BY documents.id LIMIT ${PAGE}`), last),
    )
    for (const [id, email, at, data] of page) {
      last = id
      const isIn = (text: string) => text >= since && text < until
      if (at !== null && !isIn(at)) continue
      const person = readOf(data)
      // Of a record that cannot be read, the person says it: they are on the list.
      const subscribedAt = storedTime(at) ?? subscribedAtOf(person)
      const address = email ?? person.email
      if (address === undefined || !subscribedAt || !isIn(subscribedAt.toISOString())) continue
      yield { email: address, subscribedAt, ...knownOf(person) }
    }
    if (page.length < PAGE) return
  }
}

function newest(sql: Sql, limit: number) {
  return rows(sql(`${columns} ORDER BY documents.id DESC LIMIT ?`), limit).map(
    ([, email, at, data]) => {
      const person = readOf(data)
      const subscribedAt = storedTime(at) ?? subscribedAtOf(person) ?? new Date(0)
      const address = email ?? person.email ?? ''
      return { email: address, subscribedAt, ...knownOf(person), ...originOf(person) }
    },
  )
}

function countAll(sql: Sql, range: TimeRange): number {
  const row = sql(`
    SELECT count(*) AS people FROM documents WHERE ${time} >= :since AND ${time} < :until`).get(
    bounds(range),
  )
  return Number(row?.people)
}

async function* signedUpSince(database: SqliteDatabase, time: Date): AsyncIterable<string> {
  const [tag] = standingTags('subscribed')
  let last = { at: time.toISOString(), n: 0 }
  for (;;) {
    const page = await database.read((sql) =>
      sql(`
        SELECT places.at, places.n, ${inRecord('email')} AS email
        FROM places JOIN persons USING (n) JOIN documents ON documents.id = number
        WHERE tag = :tag AND (places.at, places.n) > (:at, :n)
        ORDER BY places.at, places.n LIMIT ${PAGE}`).all({ ...last, tag }),
    )
    for (const { email } of page) yield String(email)
    const end = page.at(-1)
    if (!end || page.length < PAGE) return
    last = { at: String(end.at), n: Number(end.n) }
  }
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

/** Somebody who waits to be taken in is on the list. */
const readOf = (data: string | null): Person => (data === null ? nobody : readable(personIn(data)))

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

type Row = [id: number, email: string | null, subscribedAt: string | null, person: string | null]

/** As arrays: each row that is an object leaves a hidden class in V8's memory. */
function rows(statement: StatementSync, ...parameters: (string | number)[]): Row[] {
  statement.setReturnArrays(true)
  return statement.all(...parameters) as unknown as Row[]
}

/** Times are stored as ISO texts, which sort like the times; `~` sorts after all of them. */
function bounds({ since, until }: TimeRange) {
  return { since: since?.toISOString() ?? '', until: until?.toISOString() ?? '~' }
}
