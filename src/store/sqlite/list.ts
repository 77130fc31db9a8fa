import type { StatementSync } from 'node:sqlite'
import type { AddressIds } from '../../keys/address-id.ts'
import { isProbeAddress } from '../../shared/probe-address.ts'
import { storedTime } from '../../shared/stored-time.ts'
import type { GrowthCounts } from '../growth.ts'
import { cleanDetail, type Standing, standings } from '../standing.ts'
import {
  type ImportOutcome,
  isSelected,
  type ListedSubscriber,
  leftAt,
  noneOfEach,
  type Selection,
  type SignUpSeen,
  type SubscriberList,
  type TimeRange,
} from '../subscriber-list.ts'
import type { SqliteDatabase } from './database.ts'
import { watching } from './event-rows.ts'
import { countedStandings, countSignUps, importedOf, markListed, settleListed } from './growth.ts'
import { addImported, markImported, originOf, pageTime } from './imported.ts'
import { noteKey } from './inbox-rows.ts'
import { addExtra, isAnyKnown, knownOf } from './known.ts'
import { entryOf, hear, signUpOf } from './standing-rows.ts'

const PAGE = 100

export function sqliteList(
  database: SqliteDatabase,
  addressIds: AddressIds,
): SubscriberList & Pick<GrowthCounts, 'newest'> {
  const time = `data ->> 'subscribedAt'`
  const columns = `SELECT id, data ->> 'email', ${time}, ${pageTime}, takenInAt FROM documents`
  const row = `${columns} WHERE ${time}`

  /** The subscribers of a range, in order of sign-up. */
  async function* listed(range: Range): AsyncIterable<Found> {
    const { since, until } = bounds(range)
    if (since >= until) return
    let last = { at: range.isByArrival ? await firstArrived(since) : since, id: 0 }
    for (;;) {
      const { at, id } = last
      // In pages, because the write-ahead log cannot be written back while a read is open. A page
      // has rows of the last row's own time, or later ones, by a query each: one query for both
      // would read all rows of that time again for every page, and an import may bring a million.
      const page = await database.read((sql) => {
        const same = rows(sql(`${row} = ? AND id > ? ORDER BY id LIMIT ${PAGE}`), at, id)
        const found =
          same.length > 0
            ? same
            : rows(
                sql(`${row} > ? AND ${time} < ? ORDER BY ${time}, id LIMIT ${PAGE}`),
                ...[at, until],
              )
        // Computing an address id takes longer than reading a row, so it is left out if possible.
        const known = isAnyKnown(sql)
          ? found.map(([, email]) => knownOf(sql, addressIds.of(email)))
          : []
        return found.map((one, i) => ({ one, known: known[i] ?? subscribed }))
      })
      if (page.length === 0) return
      for (const { one, known } of page) {
        const [id, email, at, page, takenInAt] = one
        last = { at, id }
        const arrivedAt = takenInAt !== null && takenInAt > at ? takenInAt : at
        if (range.isByArrival && (arrivedAt < since || arrivedAt >= until)) continue
        const subscribedAt = storedTime(at)
        if (subscribedAt) yield { one: { email, subscribedAt, ...known }, page }
      }
    }
  }

  /** The first sign-up of those who came on the list since then. */
  async function firstArrived(since: string): Promise<string> {
    const row = await database.read((sql) =>
      sql(`SELECT min(${time}) AS first FROM documents WHERE takenInAt >= ?`).get(since),
    )
    const first = row?.first
    return typeof first === 'string' && first < since ? first : since
  }

  async function* stream(selection: Selection = {}): AsyncIterable<ListedSubscriber> {
    for await (const { one } of listed(selection))
      if (isSelected(one.standing, selection)) yield one
  }

  function newest(limit: number) {
    return database.read((sql) => {
      const isKnown = isAnyKnown(sql)
      const query = sql(`${columns} ORDER BY ${time} DESC, id DESC LIMIT ?`)
      return rows(query, limit).map(([, email, at, page]) => ({
        email,
        subscribedAt: new Date(at),
        ...(isKnown ? knownOf(sql, addressIds.of(email)) : subscribed),
        ...originOf(page),
      }))
    })
  }

  /** Those who signed up at the page since then, and were found in an import with an earlier time. */
  function foundEarlier(since: Date): Promise<SignUpSeen[]> {
    const from = since.toISOString()
    return database.read((sql) =>
      rows(sql(`${columns} WHERE signedUpAt >= ? AND ${time} < ?`), from, from).map(
        ([, email, at, page]) => ({
          email,
          subscribedAt: new Date(at),
          signedUpAt: new Date(page),
          standing: knownOf(sql, addressIds.of(email)).standing,
        }),
      ),
    )
  }

  async function countAll(range: Range): Promise<number> {
    const { since, until } = bounds(range)
    const count = 'SELECT count(*) FROM documents WHERE'
    const signedUp = `${time} >= :since AND ${time} < :until`
    const later = `takenInAt >= :until AND ${signedUp}`
    const earlier = `takenInAt >= :since AND takenInAt < :until AND ${time} < :since`
    const query = range.isByArrival
      ? `SELECT (${count} ${signedUp}) - (${count} ${later}) + (${count} ${earlier}) AS people`
      : `SELECT (${count} ${signedUp}) AS people`
    const row = await database.read((sql) => sql(query).get({ since, until }))
    return Number(row?.people)
  }

  async function countByStanding(range: Range = {}) {
    if (!range.since && !range.until) {
      await settleListed(database, addressIds)
      return database.read(countedStandings)
    }
    const counts: Record<Standing, number> = noneOfEach()
    if (await database.read(isAnyKnown))
      for await (const { one } of listed(range)) counts[one.standing] += 1
    else counts.subscribed = await countAll(range)
    return counts
  }

  return {
    stream,
    async overview(since, onSignUp) {
      for await (const { one, page } of listed({ since })) {
        const { email, subscribedAt, standing } = one
        onSignUp({ email, subscribedAt, standing, signedUpAt: storedTime(page) })
      }
      for (const one of await foundEarlier(since)) onSignUp(one)
      const standings = await countByStanding()
      return { standings, imported: await database.read(importedOf) }
    },
    async *signedUpBefore(until) {
      for await (const { one, page } of listed({ until })) {
        const { email, subscribedAt, standing } = one
        yield { email, subscribedAt, standing, signedUpAt: storedTime(page) }
      }
    },
    countByStanding,
    newest,

    async countIn(selection) {
      if (selection.standing === 'all') return countAll(selection)
      const counts = await countByStanding(selection)
      return standings
        .filter((standing) => isSelected(standing, selection))
        .reduce((sum, standing) => sum + counts[standing], 0)
    },

    importAll: (subscribers, { isNews = true } = {}) =>
      database.write((sql) => {
        const now = new Date()
        const noteEvents = watching(sql, addressIds, isNews ? subscribers : [])
        const outcomes = subscribers.map((one): ImportOutcome => {
          const { email, subscribedAt, signedUpAt, standing, detail, extra } = one
          if (isProbeAddress(email)) return 'known'
          const addressId = addressIds.of(email)
          if (entryOf(sql, addressId)?.standing === 'forgotten') return 'forgotten'
          const signUp = signUpOf(sql, email)
          addImported(sql, { email, subscribedAt, signedUpAt })
          if (!signUp) countSignUps(sql, signedUpAt, 1)
          if (standing && standing !== 'subscribed' && !(standing === 'quarantined' && signUp)) {
            const at = leftAt(one, now)
            noteKey(sql, addressIds, email)
            hear(sql, addressId, { standing, at, detail: cleanDetail(detail) }, signUp)
            if (standing === 'quarantined' && !signedUpAt) markImported(sql, addressId)
          }
          markListed(sql, addressId)
          if (extra) addExtra(sql, addressId, extra)
          return signUp ? 'known' : 'added'
        })
        noteEvents()
        return outcomes
      }),
  }
}

const subscribed = { standing: 'subscribed' } as const

interface Found {
  readonly one: ListedSubscriber
  /** When they signed up at the page; empty if they never did. */
  readonly page: string
}

type Row = [id: number, email: string, subscribedAt: string, page: string, takenInAt: string | null]

type Range = Pick<Selection, 'since' | 'until' | 'isByArrival'>

/** As arrays: each row that is an object leaves a hidden class in V8's memory. */
function rows(statement: StatementSync, ...parameters: (string | number)[]): Row[] {
  statement.setReturnArrays(true)
  return statement.all(...parameters) as unknown as Row[]
}

/** Times are stored as ISO texts, which sort like the times; `~` sorts after all of them. */
function bounds({ since, until }: TimeRange) {
  return { since: since?.toISOString() ?? '', until: until?.toISOString() ?? '~' }
}
