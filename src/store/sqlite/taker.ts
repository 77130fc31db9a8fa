import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { AddressIds } from '../../keys/address-id.ts'
import { BESIDE_LIST } from '../../shared/data-folder.ts'
import { storedTime } from '../../shared/stored-time.ts'
import { inTurn, type TakingIn } from '../arrival.ts'
import { holdAlone } from '../sole-holder.ts'
import { StoreUnavailable } from '../subscriber-store.ts'
import { SET_ASIDE, waiting } from './arrivals.ts'
import { isBoundTo, OTHER_KEY } from './bound.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { noteIn } from './notes.ts'
import { retry } from './outage.ts'
import { inRecord } from './own-collection.ts'
import { inLine, isAnyInLine, type Row, takeInRows } from './taking-in.ts'

/** The lock's file, beside the list. */
const LOCK = `${BESIDE_LIST}inbox.lock`
const BEAT_MS = 100
/** After a fault. */
const AWAY_MS = 1000
/** Of one transaction, since visitors wait for its end. */
const SLICE_MS = 3
/** Beside visitors: a fifth of the processor's time, and half of it where many wait. */
const [PAUSE_MS, SHORT_PAUSE_MS] = [12, 3]
const MANY = 100_000
const MOST_TRIES = 3
/** While the log is longer, only visitors write. */
const MOST_LOG_BYTES = 256 * 1024 * 1024
const LOOK_EVERY_MS = 5
const GIVE_UP_MS = 60_000

/** @param log gets a sentence about what could not be taken in. @param arrived how many came so far. */
export function sqliteTaker(
  database: SqliteDatabase,
  addressIds: AddressIds,
  file: string,
  log: (message: string) => void,
  arrived: () => number,
): TakingIn {
  const tries = new Map<number, number>()
  let fault: string | undefined

  function hold() {
    try {
      return holdAlone(join(dirname(file), LOCK))
    } catch (cause) {
      throw new StoreUnavailable(`${LOCK} cannot be used: ${(cause as Error).message}`, { cause })
    }
  }

  /** @returns whether more may wait. */
  async function slice(): Promise<boolean> {
    if (isLogLong(file) || !(await database.read(isAnyInLine))) return false
    const over = performance.now() + SLICE_MS
    try {
      return await database.writeUnsynced((sql) => {
        if (!isBoundTo(sql, addressIds.fingerprint)) return false
        const rows = nextIn(sql)
        return takeInRows(sql, addressIds, rows, () => performance.now() > over) > 0
      })
    } catch (cause) {
      if (cause instanceof StoreUnavailable) throw cause
      await oneByOne()
      return true
    }
  }

  /** Where one cannot be taken in, the others are all the same. */
  async function oneByOne(): Promise<void> {
    const rows = await database.read(nextIn)
    for (const row of rows)
      try {
        await database.writeUnsynced((sql) => takeInRows(sql, addressIds, [row]))
      } catch (cause) {
        if (cause instanceof StoreUnavailable) throw cause
        await failed(Number(row.id), cause as Error)
      }
  }

  async function failed(id: number, { name }: Error): Promise<void> {
    const times = (tries.get(id) ?? 0) + 1
    tries.set(id, times)
    if (times < MOST_TRIES) return
    tries.delete(id)
    await database.writeUnsynced((sql) =>
      sql(`UPDATE documents SET waits = ${SET_ASIDE} WHERE id = ?`).run(id),
    )
    log(`Something that a visitor left cannot be taken in, and is tried at the next start: ${name}`)
  }

  /** Whatever is wrong fails no sign-up. @returns nothing then, and the store itself reports an outage. */
  async function tried<T>(attempt: () => T | Promise<T>): Promise<T | undefined> {
    try {
      const result = await attempt()
      fault = undefined
      return result
    } catch (cause) {
      const { name } = cause as Error
      if (!(cause instanceof StoreUnavailable) && name !== fault)
        log(`Sign-ups cannot be taken in: ${name}`)
      fault = name
      return undefined
    }
  }

  async function run(signal: AbortSignal) {
    const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {})
    let release: ReturnType<typeof hold>
    try {
      while (!signal.aborted) {
        await pause(fault ? AWAY_MS : BEAT_MS)
        if (!release) {
          release = await tried(hold)
          if (release) await tried(() => database.writeUnsynced(inLineAgain))
        }
        if (release) await takeAll(signal, pause)
      }
    } finally {
      release?.()
    }
  }

  async function takeAll(signal: AbortSignal, pause: (ms: number) => Promise<void>) {
    for (let last = arrived(); !signal.aborted && (await tried(slice)); last = arrived()) {
      const isMany = await tried(() => database.read(areMany))
      if (arrived() === last && !isMany) await nextTurn()
      else await pause(isMany ? SHORT_PAUSE_MS : PAUSE_MS)
    }
  }

  return {
    async takeInAll() {
      const last = await database.read(lastIn)
      let release: ReturnType<typeof hold>
      try {
        for (let [since, seen] = [performance.now(), Number.NaN]; ; ) {
          const first = await database.read(firstIn)
          if (first === undefined || first > last) return
          if (await database.read((sql) => isOtherKey(sql, addressIds)))
            throw new StoreUnavailable(OTHER_KEY)
          if (first !== seen) since = performance.now()
          seen = first
          if (performance.now() - since > GIVE_UP_MS)
            throw new StoreUnavailable('Sign-ups wait, and the server does not take them in.')
          release ??= hold()
          if (release && (await retry(slice))) await nextTurn()
          else await sleep(LOOK_EVERY_MS)
        }
      } finally {
        release?.()
      }
    },

    takeInUntilClosed() {
      const closing = new AbortController()
      const running = run(closing.signal)
      return {
        async close() {
          closing.abort()
          await running
        },
      }
    },

    waiting: () =>
      database.read((sql) => {
        const count = sql(`
          SELECT count(*) FILTER (WHERE ${inLine}) AS entries,
            count(*) FILTER (WHERE waits = ${SET_ASIDE}) AS setAside
          FROM documents WHERE ${waiting}`)
        const { entries, setAside } = count.get() ?? {}
        const time = sql(`SELECT ${inRecord('subscribedAt')} AS at FROM documents WHERE id = ?`)
        const since = storedTime(time.get(firstIn(sql) ?? null)?.at)
        return {
          ...{ entries: Number(entries), setAside: Number(setAside) },
          seconds: since ? Math.max(0, Math.floor((Date.now() - Number(since)) / 1000)) : 0,
          isOtherKey: isOtherKey(sql, addressIds),
        }
      }),
  }
}

const lines = [0, 1, 2] as const
/** How many of a line are read for one slice: more than it takes in. */
const READ = 24

const nextIn = (sql: Sql): Row[] =>
  inTurn(
    lines.map((line) =>
      sql(`SELECT * FROM documents WHERE waits = ? ORDER BY id LIMIT ${READ}`).all(line),
    ),
  )

/** The lowest number of what is in line. */
export function firstIn(sql: Sql): number | undefined {
  const first = lines.flatMap((line) => {
    const id = sql('SELECT min(id) AS id FROM documents WHERE waits = ?').get(line)?.id
    return typeof id === 'number' ? id : []
  })
  return first.length === 0 ? undefined : Math.min(...first)
}

export const lastIn = (sql: Sql): number =>
  Number(sql('SELECT max(id) AS id FROM documents').get()?.id ?? 0)

/** As ids are never used again, it is no fewer than that many, and no look at each of them. */
function areMany(sql: Sql): boolean {
  return lastIn(sql) - (firstIn(sql) ?? Infinity) > MANY
}

/** What was set aside comes into line again, behind all that came since. */
function inLineAgain(sql: Sql): void {
  const seen = "iif(json_valid(seen), json_set(seen, '$.isLate', json('true')), seen)"
  sql(`
    INSERT INTO documents (collection, data, waits, seen)
    SELECT collection, data, 1, ${seen} FROM documents WHERE waits = ${SET_ASIDE}`).run()
  const last = lastIn(sql)
  sql(`DELETE FROM documents WHERE waits = ${SET_ASIDE} AND id <= ?`).run(last)
}

function isOtherKey(sql: Sql, { fingerprint }: AddressIds): boolean {
  const bound = noteIn(sql, 'boundTo')
  return bound !== undefined && bound !== fingerprint
}

function isLogLong(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > MOST_LOG_BYTES
}
