import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { BESIDE_LIST } from '../../shared/data-folder.ts'
import { storedTime } from '../../shared/stored-json.ts'
import type { Waiting } from '../../shared/waiting-too-long.ts'
import { holdAlone } from '../sole-holder.ts'
import { StoreUnavailable } from '../subscriber-store.ts'
import { firstIn, lastIn, lines, SET_ASIDE, seenLate } from './arrivals.ts'
import { isBoundToOther, type Keyed, OTHER_KEY } from './bound-to-key.ts'
import type { Sql } from './connection.ts'
import type { OpenList } from './open-list.ts'
import { retry } from './outage.ts'
import { inRecord } from './own-collection.ts'
import { type Slicing, slice } from './take-in-slice.ts'

/** The lock's file, beside the list. */
const LOCK = `${BESIDE_LIST}inbox.lock`
const BEAT_MS = 100
/** After a fault. */
const AWAY_MS = 1000
/** The longest rest after a slice, as so many times its length, and that while many wait. */
const [REST, SHORT_REST] = [15, 1]
const MANY = 100_000
const LOOK_EVERY_MS = 5
const GIVE_UP_MS = 60_000
/** So long a holder of the lock may do nothing, such as one that is stopped. */
const STUCK_MS = 5000

/**
 * Takes in what visitors left. One process of a list does so: its server, or else who needs the list.
 */
export function sqliteTaker(list: OpenList, file: string, log: Slicing['log']) {
  const slicing = { list, file, log, tries: new Map<number, number>(), taken: 0 }
  return {
    /**
     * Resolves when everything is in that was left before. What is set aside is not.
     *
     * @param signal ends it before. @throws StoreUnavailable
     */
    takeInAll: (signal?: AbortSignal) => takeInAll(slicing, signal),

    /** Takes in on a beat, until it is closed. */
    takeInUntilClosed() {
      const closing = new AbortController()
      const running = takeInOnBeat(slicing, closing.signal)
      return {
        async close() {
          closing.abort()
          await running
        },
      }
    },

    /** @throws StoreUnavailable */
    waiting: () => list.read((sql) => waitingIn({ sql, ids: list.ids })),
  }
}

/**
 * The lock keeps two from the same work. What both would do is done once all the same, by one transaction: so
 * a lock that cannot be used is done without.
 */
function hold({ file, log }: Slicing) {
  try {
    return holdAlone(join(dirname(file), LOCK))
  } catch (cause) {
    log(`${LOCK} cannot be used: ${(cause as Error).message}`)
    return () => {}
  }
}

async function takeInAll(slicing: Slicing, signal: AbortSignal | undefined): Promise<void> {
  const { list } = slicing
  const last = await list.read(lastIn)
  let release: ReturnType<typeof hold>
  try {
    for (let [since, seen] = [performance.now(), Number.NaN]; ; ) {
      const first = await list.read(firstIn)
      if (first === undefined || first > last || signal?.aborted) return
      if (await list.read((sql) => isBoundToOther({ sql, ids: list.ids })))
        throw new StoreUnavailable(OTHER_KEY)
      if (first !== seen) since = performance.now()
      seen = first
      const idle = performance.now() - since
      if (idle > GIVE_UP_MS)
        throw new StoreUnavailable('Sign-ups wait, and the server does not take them in.')
      release ??= hold(slicing)
      const isTaking = release !== undefined || idle > STUCK_MS
      if (isTaking && (await retry(() => slice(slicing)).catch(unavailable))) await nextTurn()
      else await sleep(LOOK_EVERY_MS)
    }
  } finally {
    release?.()
  }
}

function unavailable(cause: unknown): never {
  if (cause instanceof StoreUnavailable) throw cause
  throw new StoreUnavailable('Sign-ups cannot be taken in.', { cause })
}

async function takeInOnBeat(slicing: Slicing, signal: AbortSignal) {
  const { list, log } = slicing
  const attempts = attemptsWith(log)
  const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {})
  const more = () => attempts.tried(() => slice(slicing))

  /**
   * Until visitors left as much time as a slice took, and at the latest after `most` times that. It looks
   * after one, three, seven times: each look costs visitors something.
   */
  async function rest(took: number, most: number) {
    const idle = () => performance.eventLoopUtilization().idle
    const enough = idle() + took
    // A timer may be early by a millisecond.
    for (let times = 1; times <= most && idle() < enough; times *= 2) await pause(times * took + 1)
  }

  async function takeInLine() {
    while (!signal.aborted) {
      const began = performance.now()
      if (!(await more())) return
      // With its commit, which takes as long again.
      const took = Math.min(performance.now() - began, BEAT_MS)
      const isMany = await attempts.tried(() => list.read(areMany))
      await rest(took, isMany ? SHORT_REST : REST)
    }
  }

  let release: ReturnType<typeof hold>
  let isAgain: boolean | undefined
  try {
    while (!signal.aborted) {
      await pause(attempts.isFailing() ? AWAY_MS : BEAT_MS)
      release ??= await attempts.tried(() => hold(slicing))
      if (release) isAgain ||= await attempts.tried(() => list.writeUnsynced(inLineAgain))
      if (isAgain) await takeInLine()
    }
  } finally {
    release?.()
  }
}

/** Whatever is wrong fails no sign-up. */
function attemptsWith(log: Slicing['log']) {
  let fault: string | undefined
  return {
    isFailing: () => fault !== undefined,

    /** @returns nothing where it fails; the store itself reports an outage. */
    async tried<T>(attempt: () => T | Promise<T>): Promise<T | undefined> {
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
    },
  }
}

function waitingIn(keyed: Keyed): Waiting {
  const { sql } = keyed
  const count = (waits: number) =>
    Number(sql('SELECT count(*) AS n FROM documents WHERE waits = ?').get(waits)?.n)
  const time = sql(`
    SELECT coalesce(iif(json_valid(seen), seen ->> 'appendedAt', NULL), ${inRecord('subscribedAt')}) AS at
    FROM documents WHERE id = ?`)
  const since = storedTime(time.get(firstIn(sql) ?? null)?.at)
  return {
    entries: lines.reduce<number>((sum, line) => sum + count(line), 0),
    setAside: count(SET_ASIDE),
    seconds: since ? Math.max(0, Math.floor((Date.now() - Number(since)) / 1000)) : 0,
    isOtherKey: isBoundToOther(keyed),
  }
}

/** As ids are never used again, it is no fewer than that many, and no look at each of them. */
function areMany(sql: Sql): boolean {
  return lastIn(sql) - (firstIn(sql) ?? Infinity) > MANY
}

/** What was set aside comes into line again, behind all that came since. */
function inLineAgain(sql: Sql): true {
  sql(`
    INSERT INTO documents (collection, data, waits, seen, addressId)
    SELECT collection, data, 1, ${seenLate}, addressId FROM documents WHERE waits = ${SET_ASIDE}`).run(
    {
      now: new Date().toISOString(),
    },
  )
  const last = lastIn(sql)
  sql(`DELETE FROM documents WHERE waits = ${SET_ASIDE} AND id <= ?`).run(last)
  return true
}
