import { setImmediate as turn } from 'node:timers/promises'
import { emptyRoll, type Roll, type RollEntry } from '../roll/roll.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'

const PAGE = 5000
/** With more new rows than this, the list is read again instead of sorting them in. */
const MOST_LATE = 5000

export interface SqliteRoll {
  /** The list as of now; the first call reads all addresses. @throws StoreUnavailable */
  current(signal?: AbortSignal): Promise<Roll>
  /** Whether a row is still on the list unchanged; otherwise it is taken off the roll. */
  isStill(sql: Sql, entry: RollEntry): boolean
}

type Row = [id: number, email: string, subscribedAt: string]

const time = `data ->> 'subscribedAt'`
const columns = `SELECT id, data ->> 'email', ${time} FROM documents`

/** The addresses of the file in memory; each call adds the new ones. */
export function rollOf(database: SqliteDatabase): SqliteRoll {
  let roll: Roll | undefined
  let late = 0
  let loading: Promise<Roll> | undefined

  async function load(): Promise<Roll> {
    const loaded = emptyRoll()
    let last = { at: '~', id: Number.MAX_SAFE_INTEGER }
    for (;;) {
      const { at, id } = last
      const page = await database.read((sql) => {
        const same = rows(
          sql(`${columns} WHERE ${time} = ? AND id < ? ORDER BY id DESC LIMIT ${PAGE}`),
          at,
          id,
        )
        if (same.length > 0) return same
        const older = `${columns} WHERE ${time} < ? ORDER BY ${time} DESC, id DESC LIMIT ${PAGE}`
        return rows(sql(older), at)
      })
      for (const row of page) add(loaded, row)
      const oldest = page.at(-1)
      if (!oldest) break
      last = { at: oldest[2], id: oldest[0] }
      await turn()
    }
    // Rows that came while it was read have higher ids than all others.
    late = 0
    roll = loaded
    return loaded
  }

  /** @returns whether the roll is up to date. */
  function bringUp(sql: Sql, current: Roll): boolean {
    const find = sql(`SELECT data ->> 'email' AS email FROM documents WHERE id = ?`)
    for (let tries = 0; tries < 20; tries += 1) {
      const top = current.highest()
      if (top && find.get(top.id)?.email !== top.email) {
        current.drop(top.row)
        continue
      }
      const since = rows(
        sql(`${columns} WHERE id > ? ORDER BY id LIMIT ?`),
        top?.id ?? -1,
        MOST_LATE,
      )
      for (const row of since) add(current, row)
      late += since.length
      return late < MOST_LATE
    }
    return false
  }

  return {
    async current(signal) {
      const now = roll
      const isUp = now && (await database.read((sql) => bringUp(sql, now)))
      if (isUp) return now
      loading ??= load().finally(() => {
        loading = undefined
      })
      await loading
      signal?.throwIfAborted()
      const loaded = roll as Roll
      await database.read((sql) => bringUp(sql, loaded))
      return loaded
    },

    isStill(sql, { id, email, at, row }) {
      const found = sql(
        `SELECT data ->> 'email' AS email, ${time} AS at FROM documents WHERE id = ?`,
      ).get(id)
      if (found?.email !== email) roll?.drop(row)
      // An import may have given the subscriber an earlier time.
      else if (Date.parse(String(found.at)) !== at) late = MOST_LATE
      return found?.email === email
    },
  }
}

function add(roll: Roll, [id, email, at]: Row) {
  roll.add({ id, email, at: Date.parse(at) })
}

/** As arrays: each row that is an object leaves a hidden class in V8's memory. */
function rows(statement: ReturnType<Sql>, ...parameters: (string | number)[]): Row[] {
  statement.setReturnArrays(true)
  return statement.all(...parameters) as unknown as Row[]
}
