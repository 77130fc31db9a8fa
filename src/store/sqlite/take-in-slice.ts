import { statSync } from 'node:fs'
import { inTurn } from '../arrival.ts'
import { StoreUnavailable } from '../subscriber-store.ts'
import { lines, type Row, setAside } from './arrivals.ts'
import { isBoundTo, type Keyed } from './bound-to-key.ts'
import type { Sql } from './connection.ts'
import { cutLog } from './erase-traces.ts'
import type { OpenList } from './open-list.ts'
import { isAnyInLine, isFaulty, takeInRows, tryRow } from './taking-in.ts'

/** Of one transaction, since visitors wait for its end. */
const SLICE_MS = 3
/** How many of a line are read for one slice: more than it takes in. */
const READ = 96
/** After a fault, all that is read is tried, whatever the time. */
const READ_AFTER_FAULT = 24
const MOST_TRIES = 3
/** While the log is longer, and somebody reads what it has, only visitors write. */
const MOST_LOG_BYTES = 256 * 1024 * 1024

export interface Slicing {
  readonly list: OpenList
  /** That of the list. */
  readonly file: string
  /** Gets a sentence about what could not be taken in. */
  readonly log: (message: string) => void
  /** How often an entry failed, by its id. */
  readonly tries: Map<number, number>
  /** How many were taken in so far: a slice may be too short for a turn of each line. */
  taken: number
}

/** Takes in some of what waits. @returns whether more may wait. @throws StoreUnavailable */
export async function slice(slicing: Slicing): Promise<boolean> {
  const { list, file } = slicing
  if (!(await list.read(isAnyInLine))) return false
  if (isLogLong(file) && !(await cutLog(list))) return false
  const over = performance.now() + SLICE_MS
  const take = (sql: Sql) => {
    const keyed = { sql, ids: list.ids }
    if (!isBoundTo(keyed)) return false
    const rows = nextIn(sql, slicing.taken, READ)
    const isOver = () => performance.now() > over
    const taken = takeInRows(keyed, rows, isOver)
    slicing.taken += taken
    return taken > 0
  }
  try {
    return await list.writeUnsynced(take)
  } catch (cause) {
    if (cause instanceof StoreUnavailable) throw cause
    const isFault = await list.writeUnsynced((sql) => oneByOne({ sql, ids: list.ids }, slicing))
    if (isFault) throw cause
    return true
  }
}

/** Where one cannot be taken in, the others are all the same. @returns whether the fault is the list's. */
function oneByOne(keyed: Keyed, { log, tries, taken }: Slicing): boolean {
  const { sql } = keyed
  for (const row of nextIn(sql, taken, READ_AFTER_FAULT)) {
    const id = Number(row.id)
    const fault = tryRow(keyed, row)
    if (!fault) continue
    if (isFaulty(keyed)) return true
    const times = (tries.get(id) ?? 0) + 1
    tries.set(id, times)
    if (times < MOST_TRIES) continue
    tries.delete(id)
    setAside(sql, id)
    log(
      `Something that a visitor left cannot be taken in, and is tried at the next start: ${fault.name}`,
    )
  }
  return false
}

const nextIn = (sql: Sql, taken: number, most: number): Row[] =>
  inTurn(
    lines.map((line) =>
      sql(
        'SELECT id, collection, data, seen, addressId FROM documents WHERE waits = ? ORDER BY id LIMIT ?',
      ).all(line, most),
    ),
    taken,
  )

function isLogLong(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > MOST_LOG_BYTES
}
