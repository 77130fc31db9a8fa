import type { StatementSync } from 'node:sqlite'
import type { AddressIds } from '../../keys/address-id.ts'
import { isProbeAddress } from '../../shared/probe-address.ts'
import { storedTime } from '../../shared/stored-time.ts'
import { subscribersPath } from '../../shared/subscriber.ts'
import type { GrowthCounts } from '../growth.ts'
import { cleanDetail, type Standing, standings } from '../standing.ts'
import {
  type ImportOutcome,
  isSelected,
  type ListedSubscriber,
  leftAt,
  noneOfEach,
  type Selection,
  type SubscriberList,
  type TimeRange,
} from '../subscriber-list.ts'
import type { SqliteDatabase } from './database.ts'
import { watching } from './event-rows.ts'
import { countedStandings, countSignUps, markListed, settleListed } from './growth.ts'
import { addExtra, isAnyKnown, knownOf } from './known.ts'
import { entryOf, hear, signUpOf } from './standing-rows.ts'

const PAGE = 100

export function sqliteList(
  database: SqliteDatabase,
  addressIds: AddressIds,
  appId: string,
): SubscriberList & Pick<GrowthCounts, 'newest'> {
  const time = `data ->> 'subscribedAt'`
  const row = `SELECT id, data ->> 'email', ${time} FROM documents WHERE ${time}`

  /** The subscribers of a range, in order of sign-up. */
  async function* listed(range: TimeRange): AsyncIterable<ListedSubscriber> {
    const { since, until } = bounds(range)
    if (since >= until) return
    let last = { at: since, id: 0 }
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
        const [id, email, at] = one
        last = { at, id }
        const subscribedAt = storedTime(at)
        if (subscribedAt) yield { email, subscribedAt, ...known }
      }
    }
  }

  async function* stream(selection: Selection = {}): AsyncIterable<ListedSubscriber> {
    for await (const one of listed(selection)) if (isSelected(one.standing, selection)) yield one
  }

  function newest(limit: number): Promise<ListedSubscriber[]> {
    return database.read((sql) => {
      const isKnown = isAnyKnown(sql)
      const query = sql(`
        SELECT id, data ->> 'email', ${time} FROM documents ORDER BY ${time} DESC, id DESC LIMIT ?`)
      return rows(query, limit).map(([, email, at]) => ({
        email,
        subscribedAt: new Date(at),
        ...(isKnown ? knownOf(sql, addressIds.of(email)) : subscribed),
      }))
    })
  }

  async function countAll(range: TimeRange): Promise<number> {
    const { since, until } = bounds(range)
    const row = await database.read((sql) =>
      sql(`SELECT count(*) AS subscribers FROM documents WHERE ${time} >= ? AND ${time} < ?`).get(
        since,
        until,
      ),
    )
    return Number(row?.subscribers)
  }

  async function countByStanding(range: TimeRange = {}) {
    if (!range.since && !range.until) {
      await settleListed(database, addressIds)
      return database.read(countedStandings)
    }
    const counts: Record<Standing, number> = noneOfEach()
    if (await database.read(isAnyKnown))
      for await (const { standing } of listed(range)) counts[standing] += 1
    else counts.subscribed = await countAll(range)
    return counts
  }

  return {
    stream,
    async overview(since, onSignUp) {
      for await (const one of listed({ since })) onSignUp(one)
      return { standings: await countByStanding() }
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
        const insert = sql(`
          INSERT INTO documents (id, collection, data)
          SELECT coalesce(max(id), 0) + 1, :collection,
            json_object('email', :email, 'subscribedAt', :subscribedAt) FROM documents
          WHERE true
          ON CONFLICT (data ->> 'email') DO UPDATE SET data = excluded.data
            WHERE excluded.data ->> 'subscribedAt' < data ->> 'subscribedAt'`)
        const collection = subscribersPath(appId)
        const now = new Date()
        const noteEvents = watching(sql, addressIds, isNews ? subscribers : [])
        const outcomes = subscribers.map((one): ImportOutcome => {
          const { email, subscribedAt, standing, detail, extra } = one
          if (isProbeAddress(email)) return 'known'
          const addressId = addressIds.of(email)
          if (entryOf(sql, addressId)?.standing === 'forgotten') return 'forgotten'
          const signUp = signUpOf(sql, email)
          insert.run({ collection, email, subscribedAt: subscribedAt.toISOString() })
          if (!signUp) countSignUps(sql, subscribedAt, 1)
          if (standing && standing !== 'subscribed' && !(standing === 'quarantined' && signUp)) {
            const at = leftAt(one, now)
            hear(sql, addressId, { standing, at, detail: cleanDetail(detail) }, signUp)
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

type Row = [id: number, email: string, subscribedAt: string]

/** As arrays: each row that is an object leaves a hidden class in V8's memory, see decision 053. */
function rows(statement: StatementSync, ...parameters: (string | number)[]): Row[] {
  statement.setReturnArrays(true)
  return statement.all(...parameters) as unknown as Row[]
}

/** Times are stored as ISO texts, which sort like the times; `~` sorts after all of them. */
function bounds({ since, until }: TimeRange) {
  return { since: since?.toISOString() ?? '', until: until?.toISOString() ?? '~' }
}
