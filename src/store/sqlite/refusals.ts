import type { AddressIds } from '../../keys/address-id.ts'
import type { ManyRefused } from '../../shared/many-refused.ts'
import { isProbeAddress } from '../../shared/probe-address.ts'
import { areMany, isFullForGood, KEPT_MS, MANY, type Refusals } from '../refusal.ts'
import { ANSWERED, cleanDetail, mayBeWrittenTo } from '../standing.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { watching } from './event-rows.ts'
import { noteKey } from './inbox-rows.ts'
import { entryOf, hear, put, signUpOf, writeBound } from './standing-rows.ts'

export function sqliteRefusals(database: SqliteDatabase, addressIds: AddressIds): Refusals {
  return {
    hear: (heard) =>
      writeBound(database, addressIds, (sql) => {
        const now = new Date()
        sql('DELETE FROM refusals WHERE heardAt < ?').run(
          new Date(now.getTime() - KEPT_MS).toISOString(),
        )
        const all = heard.map((one) => {
          const { email, at = now } = one
          const domain = email.slice(email.lastIndexOf('@') + 1)
          return {
            ...one,
            at,
            domain,
            addressId: addressIds.of(email),
            signUp: signUpOf(sql, email),
          }
        })
        const keep = sql(`
          INSERT INTO refusals (addressId, report, refusal, domain, at, heardAt)
          VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET heardAt = excluded.heardAt`)
        for (const { addressId, report, refusal, domain, at, signUp } of all)
          if (signUp)
            keep.run(addressId, report, refusal, domain, at.toISOString(), now.toISOString())
        const many = manyOf(sql, `heardAt = '${now.toISOString()}'`)
        for (const one of many) liftThose(sql, addressIds, one)

        const noteEvents = watching(sql, addressIds, all)
        const bounced = all.map(({ email, refusal, at, domain, detail, addressId, signUp }) => {
          const day = at.toISOString().slice(0, 10)
          const isAlarm = signUp && many.some((one) => one.domain === domain && one.day === day)
          const isForGood = refusal === 'gone' || (refusal === 'full' && isFull(sql, addressId))
          const { standing = 'subscribed' } = entryOf(sql, addressId) ?? {}
          if (isAlarm || !isForGood || isProbeAddress(email)) return false
          if (!mayBeWrittenTo(standing)) return standing === 'bounced'
          const entry = { standing: 'bounced', at, detail: cleanDetail(detail) } as const
          noteKey(sql, addressIds, email)
          return hear(sql, addressId, entry, signUp, signUp !== undefined) === 'bounced'
        })
        noteEvents()
        return bounced
      }),

    many: (since) => database.read((sql) => manyOf(sql, `heardAt >= '${since.toISOString()}'`)),

    lift: (email) =>
      writeBound(database, addressIds, (sql) => {
        const addressId = addressIds.of(email)
        if (entryOf(sql, addressId)?.standing !== 'bounced') return false
        const noteEvents = watching(sql, addressIds, [{ email }])
        put(sql, addressId, { standing: 'subscribed', at: new Date(), detail: ANSWERED })
        sql('DELETE FROM refusals WHERE addressId = ?').run(addressId)
        noteEvents()
        return true
      }),
  }
}

/** @param which of the refusals name the days and providers. */
function manyOf(sql: Sql, which: string): ManyRefused[] {
  const days = sql(`
    SELECT domain, substr(at, 1, 10) AS day, count(DISTINCT addressId) AS people FROM refusals
    WHERE (domain, substr(at, 1, 10)) IN (
      SELECT domain, substr(at, 1, 10) FROM refusals WHERE ${which})
    GROUP BY 1, 2 HAVING people >= ${MANY}`).all()
  const there = sql(`
    SELECT count(*) AS n FROM documents
    WHERE substr(data ->> 'email', -length(:at)) = :at`)
  return days
    .map(({ domain, day, people }) => {
      const of = Number(there.get({ at: `@${domain}` })?.n)
      return { domain: String(domain), day: String(day), people: Number(people), of }
    })
    .filter(({ people, of }) => areMany(people, of))
}

/** Takes the bounces of a day back, for what came of reports of that day. */
function liftThose(sql: Sql, addressIds: AddressIds, { domain, day }: ManyRefused) {
  const bounced = sql(`
    SELECT DISTINCT addressId, at FROM refusals JOIN standings USING (addressId, at)
    WHERE standing = 'bounced' AND domain = ? AND substr(at, 1, 10) = ?`).all(domain, day)
  const ids = bounced.map(({ addressId }) => ({ addressId: String(addressId) }))
  const noteEvents = watching(sql, addressIds, ids)
  for (const { addressId, at } of bounced)
    put(sql, String(addressId), { standing: 'subscribed', at: new Date(String(at)) })
  noteEvents()
}

function isFull(sql: Sql, addressId: string): boolean {
  const reports = sql(`
    SELECT at FROM refusals WHERE addressId = ? AND refusal = 'full'`).all(addressId)
  return isFullForGood(reports.map(({ at }) => new Date(String(at))))
}
