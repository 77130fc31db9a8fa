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
 * How many signed up in each quarter of an hour, and how they stand, as the table `counts` keeps it.
 * Triggers of the file keep it for whatever is changed or erased. Only new documents are counted by
 * whoever adds them: a trigger for each row would make a sign-up a tenth slower.
 */

/** Counts new documents of one time. Called in the transaction that adds them. */
export function countSignUps(sql: Sql, at: Date, number: number): void {
  if (number > 0) addSignUps(sql).run(quarterOf(at), number)
}

const addSignUps = (sql: Sql) =>
  sql(`
    INSERT INTO counts (kind, quarter, number) VALUES ('signUps', ?, ?)
    ON CONFLICT DO UPDATE SET number = number + excluded.number`)

/** @returns what counts the documents that were added in between: ids only grow. */
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

/** Notes that an address is on the list, where something is known of it. */
export function markListed(sql: Sql, addressId: string): void {
  sql('UPDATE standings SET listed = 1 WHERE addressId = ? AND listed IS NOT 1').run(addressId)
}

/** How the list stands by its counts; whoever is not known to be a stranger counts as on it. */
export function countedStandings(sql: Sql): StandingCounts {
  return standingsIn(sums(sql))
}

function standingsIn({ signUps = 0, ...kinds }: Sums): StandingCounts {
  const counts = noneOfEach()
  let others = 0
  for (const standing of Object.keys(counts) as Standing[]) {
    if (standing === 'subscribed' || standing === 'forgotten') continue
    counts[standing] = kinds[standing] ?? 0
    others += counts[standing]
  }
  counts.subscribed = Math.max(0, signUps - others)
  return counts
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

  /** Finds out who is on the list, and keeps nobody waiting who looks at a long one. */
  async function settleSoon() {
    const isAnyOpen = await database.read((sql) =>
      sql('SELECT 1 FROM standings WHERE listed IS NULL LIMIT 1').get(),
    )
    if (!isAnyOpen) return
    if (!settling && performance.now() >= mayBeginAt)
      settling = settleListed(database, addressIds)
        // Whoever reads the counts hears of an outage.
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

/** Whoever unsubscribes by a link is such a one, and a long list takes seconds of the processor. */
const SETTLE_EVERY_MS = 10_000
const SETTLE_WITHIN_MS = 100

const NOTED_AT_ONCE = 500
/** More at once would need much memory; the rest is for the next time. */
const MOST_UNKNOWN = 200_000

/**
 * Finds out which of those who left are on the list, where only their ids are known: that takes an id
 * of everybody on it, some seconds for a million, and is done once for each that came so.
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
      // Somebody may have signed up since, and that is known better.
      const set = sql('UPDATE standings SET listed = ? WHERE addressId = ? AND listed IS NULL')
      for (const id of ids) set.run(isListed, id)
    })
  for await (const ids of batches(listed, NOTED_AT_ONCE)) await note(ids, 1)
  for await (const ids of batches(open, NOTED_AT_ONCE)) await note(ids, 0)
}
