import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { AddressIds } from '../../keys/address-id.ts'
import { batches } from '../../shared/batches.ts'
import { type Growth, type GrowthCounts, QUARTER_MS } from '../growth.ts'
import type { Standing } from '../standing.ts'
import { noneOfEach, type StandingCounts } from '../subscriber-list.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { pagesOf } from './pages.ts'

/*
 * The counts of sign-ups in each quarter of an hour, of the imported, and of the standings, in the
 * table `counts`.
 * Triggers of the file update it for changed and erased rows. New documents are counted by the code
 * that adds them: a trigger for each row would make a sign-up a tenth slower.
 */

/**
 * Counts new documents. Called in the transaction that adds them.
 *
 * @param at when they signed up at the page; left out for those who came by an import.
 */
export function countSignUps(sql: Sql, at: Date | undefined, number: number): void {
  if (number === 0) return
  sql(`
    INSERT INTO counts (kind, quarter, number) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET number = number + excluded.number`).run(
    ...[at ? 'signUps' : 'imported', at ? quarterOf(at) : 0, number],
  )
}

/** @returns a function that counts the documents added meanwhile, by their growing ids. */
export function countingNew(sql: Sql, at: Date): () => void {
  const last = sql('SELECT coalesce(max(id), 0) AS id FROM documents').get()?.id
  return () =>
    sql(`
      INSERT INTO counts (kind, quarter, number)
      SELECT 'signUps', :quarter, count(*) FROM documents WHERE id > :last
      ON CONFLICT DO UPDATE SET number = number + excluded.number`).run({
      quarter: quarterOf(at),
      last: Number(last),
    })
}

const quarterOf = (at: Date) => Math.floor(at.getTime() / QUARTER_MS)

/** Notes that an address with a standing is on the list. */
export function markListed(sql: Sql, addressId: string): void {
  sql('UPDATE standings SET listed = 1 WHERE addressId = ? AND listed IS NOT 1').run(addressId)
}

/** The standings by the table of counts; an address that may be on the list counts as on it. */
export function countedStandings(sql: Sql): StandingCounts {
  return standingsIn(sums(sql))
}

function standingsIn({ signUps = 0, imported = 0, ...kinds }: Sums): StandingCounts {
  const counts = noneOfEach()
  let others = 0
  for (const standing of Object.keys(counts) as Standing[]) {
    if (standing === 'subscribed' || standing === 'forgotten') continue
    counts[standing] = kinds[standing] ?? 0
    others += counts[standing]
  }
  counts.subscribed = Math.max(0, signUps + imported - others)
  return counts
}

/** How many came by an import alone, without those of them who are quarantined. */
export function importedOf(sql: Sql): number {
  const row = sql(`
    SELECT sum(iif(kind = 'imported', number, -number)) AS imported FROM counts
    WHERE kind IN ('imported', 'quarantined') AND quarter = 0`).get()
  return Math.max(0, Number(row?.imported))
}

type Sums = Readonly<Record<string, number | undefined>>

function sums(sql: Sql): Sums {
  const rows = sql('SELECT kind, sum(number) AS number FROM counts GROUP BY kind').all()
  return Object.fromEntries(rows.map(({ kind, number }) => [String(kind), Number(number)]))
}

/** `growth` of the port. */
export function sqliteGrowth(
  database: SqliteDatabase,
  addressIds: AddressIds,
): Pick<GrowthCounts, 'since'> {
  let settling: Promise<void> | undefined
  let mayBeginAt = 0

  /** Finds out which standings are of subscribers, without delaying the caller. */
  async function settleSoon() {
    const isAnyOpen = await database.read((sql) =>
      sql('SELECT 1 FROM standings WHERE listed IS NULL LIMIT 1').get(),
    )
    if (!isAnyOpen) return
    if (!settling && performance.now() >= mayBeginAt)
      settling = settleListed(database, addressIds)
        // Readers of the counts get the outage.
        .catch(() => {})
        .finally(() => {
          settling = undefined
          mayBeginAt = performance.now() + SETTLE_EVERY_MS
        })
    await Promise.race([settling, sleep(SETTLE_WITHIN_MS, undefined, { ref: false })])
  }

  return {
    async since(since) {
      await settleSoon()
      return database.read((sql): Growth => {
        const all = sums(sql)
        const { confirmed = 0, toConfirm = 0 } = all
        const rows = sql(`
          SELECT quarter, sum(iif(kind = 'signUps', number, -number)) AS people FROM counts
          WHERE kind IN ('signUps', 'quarantined') AND quarter >= ?
          GROUP BY quarter HAVING people > 0 ORDER BY quarter`)
        return {
          standings: standingsIn(all),
          imported: importedOf(sql),
          quarters: rows.all(quarterOf(since)).map(({ quarter, people }) => ({
            at: Number(quarter) * QUARTER_MS,
            number: Number(people),
          })),
          ...(confirmed + toConfirm > 0 && { confirmed, toConfirm }),
        }
      })
    },
  }
}

/**
 * An unsubscribe by a link leaves an unknown id, and settling a long list takes seconds of
 * processor time.
 */
const SETTLE_EVERY_MS = 10_000
const SETTLE_WITHIN_MS = 100

const NOTED_AT_ONCE = 500
/** More at once would need much memory; the rest is left for the next time. */
const MOST_UNKNOWN = 200_000

/**
 * Finds out which departures are of subscribers, where only their ids are known: that takes the id
 * of every subscriber, some seconds for a million, and is done once for each such departure.
 */
export async function settleListed(database: SqliteDatabase, addressIds: AddressIds) {
  const unknown = await database.read((sql) =>
    sql(`SELECT addressId FROM standings WHERE listed IS NULL LIMIT ${MOST_UNKNOWN}`).all(),
  )
  const open = new Set(unknown.map(({ addressId }) => String(addressId)))
  if (open.size === 0) return
  const listed: string[] = []
  const everybody = `SELECT id, data ->> 'email' AS email FROM documents WHERE id > :last`
  for await (const page of pagesOf(database, everybody, 0)) {
    for (const { email } of page) {
      const addressId = addressIds.of(String(email))
      if (open.delete(addressId)) listed.push(addressId)
    }
    if (open.size === 0) break
    await nextTurn()
  }
  const note = (ids: readonly string[], isListed: number) =>
    database.write((sql) => {
      // A sign-up since then knows better.
      const set = sql('UPDATE standings SET listed = ? WHERE addressId = ? AND listed IS NULL')
      for (const id of ids) set.run(isListed, id)
    })
  for await (const ids of batches(listed, NOTED_AT_ONCE)) await note(ids, 1)
  for await (const ids of batches(open, NOTED_AT_ONCE)) await note(ids, 0)
}
