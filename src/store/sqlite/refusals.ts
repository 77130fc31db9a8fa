import { afterNoes, answer, sayNo } from '../../people/changes.ts'
import { isOnList, standingOf } from '../../people/person.ts'
import { cleanDetail, mayBeWrittenTo } from '../../people/standing.ts'
import type { ManyRefused } from '../../shared/many-refused.ts'
import { isProbeAddress } from '../../shared/probe-address.ts'
import { areMany, type HeardRefusal, isFullForGood, KEPT_MS, MANY } from '../refusal.ts'
import type { Sql } from './connection.ts'
import type { OpenList } from './open-list.ts'
import { inRecord } from './own-collection.ts'
import type { Persons } from './persons.ts'

/**
 * The refusals of two weeks: of those on the list, by `addressId`. Each method throws StoreUnavailable.
 */
export function sqliteRefusals(list: OpenList) {
  return {
    /**
     * Keeps refusals, and books bounces of those who may be written to: who is `gone`, at once; a
     * mailbox that is full for good. Where many were refused in a day, nobody is, and who was is not
     * any more. Idempotent.
     *
     * @param heard a few hundred at most. @returns for each, in order, whether it is a bounce now.
     */
    hear: (heard: readonly HeardRefusal[]): Promise<boolean[]> =>
      list.writeOf(
        heard.map(({ email }) => list.ids.of(email)),
        (persons) => hear(persons, heard),
      ),

    /** @param since when they were heard of. */
    many: (since: Date) => list.read((sql) => manyOf(sql, `heardAt >= '${since.toISOString()}'`)),

    /** Takes a bounce back. @returns whether there was one. */
    lift(email: string): Promise<boolean> {
      const addressId = list.ids.of(email)
      return list.writeOf([addressId], (persons) => {
        if (standingOf(persons.of(addressId)) !== 'bounced') return false
        persons.change(addressId, (one) => answer(one, afterNoes(one, new Date())))
        persons.sql('DELETE FROM refusals WHERE addressId = ?').run(addressId)
        return true
      })
    },
  }
}

function hear(persons: Persons, heard: readonly HeardRefusal[]): boolean[] {
  const { sql, ids } = persons
  const now = new Date()
  sql('DELETE FROM refusals WHERE heardAt < ?').run(new Date(now.getTime() - KEPT_MS).toISOString())
  const all = heard.map((one) => {
    const { email, at = now } = one
    const [addressId, domain] = [ids.of(email), email.slice(email.lastIndexOf('@') + 1)]
    return { ...one, addressId, at, domain, isListed: isOnList(persons.of(addressId)) }
  })
  const keep = sql(`
    INSERT INTO refusals (addressId, report, refusal, domain, at, heardAt)
    VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET heardAt = excluded.heardAt`)
  for (const { addressId, report, refusal, domain, at, isListed } of all)
    if (isListed) keep.run(addressId, report, refusal, domain, at.toISOString(), now.toISOString())
  const many = manyOf(sql, `heardAt = '${now.toISOString()}'`)
  for (const one of many) liftThose(persons, one)

  return all.map(({ email, refusal, at, domain, detail, addressId, isListed }) => {
    const day = at.toISOString().slice(0, 10)
    const isAlarm = isListed && many.some((one) => one.domain === domain && one.day === day)
    const isForGood = refusal === 'gone' || (refusal === 'full' && isFull(sql, addressId))
    const standing = standingOf(persons.of(addressId))
    if (isAlarm || !isForGood || isProbeAddress(email)) return false
    if (!mayBeWrittenTo(standing)) return standing === 'bounced'
    const changed = persons.change(addressId, (one) =>
      sayNo(one, 'bounced', { at, detail: cleanDetail(detail) }),
    )
    return changed !== undefined && standingOf(changed.after) === 'bounced'
  })
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
    WHERE waits IS NULL AND substr(${inRecord('email')}, -length(:at)) = :at`)
  return days
    .map(({ domain, day, people }) => {
      const of = Number(there.get({ at: `@${domain}` })?.n)
      return { domain: String(domain), day: String(day), people: Number(people), of }
    })
    .filter(({ people, of }) => areMany(people, of))
}

/** Takes the bounces of a day back, for what came of reports of that day. */
function liftThose(persons: Persons, { domain, day }: ManyRefused) {
  const reports = persons.sql(`
    SELECT DISTINCT addressId, at FROM refusals WHERE domain = ? AND substr(at, 1, 10) = ?`)
  for (const { addressId, at } of reports.all(domain, day))
    persons.change(String(addressId), (one) => {
      const bounced = one.noes.bounced?.at
      const isOfThatDay = bounced?.toISOString() === at
      return isOfThatDay ? answer(one, new Date(Number(bounced) + 1)) : one
    })
}

function isFull(sql: Sql, addressId: string): boolean {
  const reports = sql(`
    SELECT at FROM refusals WHERE addressId = ? AND refusal = 'full'`).all(addressId)
  return isFullForGood(reports.map(({ at }) => new Date(String(at))))
}
