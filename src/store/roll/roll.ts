/** A subscriber, as far as a search needs. */
export interface RollRow {
  /** Orders sign-ups of the same time: a later one is higher. */
  readonly id: number
  /** When they signed up, in any unit that grows. */
  readonly at: number
  readonly email: string
}

/** A row of a roll with its number. */
export interface RollEntry extends RollRow {
  readonly row: number
}

/**
 * All addresses of a list, newest first, in one piece of memory: some 45 bytes each. Any part of an
 * address is found among a million in some 20 ms; an index in the database would slow every
 * sign-up.
 */
export interface Roll {
  readonly size: number
  /** Adds a row. The rows of a list are added newest first, later ones in any order. */
  add(row: RollRow): void
  /** The rows with this part in their address, newest first, after a place. */
  matching(part: string | undefined, after?: Pick<RollRow, 'at' | 'id'>): Iterable<RollEntry>
  /** Overwrites an address, so that it is not found any more. */
  drop(row: number): void
  /** The entry with the highest id. */
  highest(): RollEntry | undefined
}

const NEWLINE = 0x0a

export function emptyRoll(): Roll {
  let size = 0
  let used = 0
  let [text, starts] = [Buffer.alloc(1 << 16), new Uint32Array(1 << 10)]
  let [times, ids] = [new Float64Array(1 << 10), new Float64Array(1 << 10)]
  /** The number of rows in order, from newest to oldest; later rows are sorted on reading. */
  let ordered = 0
  let highest: number | undefined
  const fresh: number[] = []

  const isBefore = (row: number, { at, id }: Pick<RollRow, 'at' | 'id'>) => {
    const time = times[row] as number
    return time > at || (time === at && (ids[row] as number) >= id)
  }

  function entry(row: number): RollEntry | undefined {
    const start = starts[row] as number
    if (text[start] === 0) return undefined
    const end = row + 1 < size ? (starts[row + 1] as number) - 1 : used - 1
    const email = text.toString('utf8', start, end)
    return { row, email, at: times[row] as number, id: ids[row] as number }
  }

  function findHighest(): number | undefined {
    let found: number | undefined
    for (let row = 0; row < size; row += 1) {
      if (text[starts[row] as number] === 0) continue
      if (found === undefined || (ids[row] as number) > (ids[found] as number)) found = row
    }
    return found
  }

  /** The first of the ordered rows for which a condition no longer holds. */
  function firstNot(holds: (row: number) => boolean): number {
    let [low, high] = [0, ordered]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (holds(middle)) low = middle + 1
      else high = middle
    }
    return low
  }

  function* orderedMatching(needle: Buffer | undefined, from: number): Iterable<number> {
    const end = ordered < size ? (starts[ordered] as number) : used
    for (let row = from; row < ordered; row += 1) {
      if (needle) {
        const place = text.indexOf(needle, starts[row])
        if (place < 0 || place >= end) return
        row = firstNot((one) => (starts[one] as number) <= place) - 1
      }
      yield row
    }
  }

  function grow(bytes: number) {
    if (size === starts.length) {
      starts = enlarged(starts, new Uint32Array(2 * size))
      times = enlarged(times, new Float64Array(2 * size))
      ids = enlarged(ids, new Float64Array(2 * size))
    }
    if (used + bytes > text.length) text = enlarged(text, Buffer.alloc(2 * text.length + bytes))
  }

  return {
    get size() {
      return size
    },

    add(row) {
      const bytes = Buffer.byteLength(row.email) + 1
      grow(bytes)
      const [place, last] = [size, size - 1]
      starts[place] = used
      times[place] = row.at
      ids[place] = row.id
      text.write(row.email, used)
      used += bytes
      text[used - 1] = NEWLINE
      size += 1
      if (highest !== undefined && row.id > (ids[highest] as number)) highest = place
      if (ordered === place && (place === 0 || isBefore(last, row))) ordered += 1
      else {
        const where = fresh.findIndex((one) => !isBefore(one, row))
        fresh.splice(where < 0 ? fresh.length : where, 0, place)
      }
    },

    *matching(part, after) {
      const needle = part === undefined ? undefined : Buffer.from(part)
      const isIn = (row: number) => !after || !isBefore(row, after)
      const late = fresh.filter(isIn)
      const from = after ? firstNot((row) => isBefore(row, after)) : 0
      let next = late.shift()
      const others = orderedMatching(needle, from)[Symbol.iterator]()
      let other = others.next()
      while (next !== undefined || !other.done) {
        const isNext =
          next !== undefined &&
          (other.done ||
            isBefore(next, { at: times[other.value] as number, id: ids[other.value] as number }))
        const found = entry((isNext ? next : other.value) as number)
        if (isNext) next = late.shift()
        else other = others.next()
        if (found && (part === undefined || found.email.includes(part))) yield found
      }
    },

    drop(row) {
      const end = row + 1 < size ? (starts[row + 1] as number) - 1 : used - 1
      text.fill(0, starts[row], end)
      if (row === highest) highest = undefined
    },

    highest() {
      highest ??= findHighest()
      return highest === undefined ? undefined : entry(highest)
    },
  }
}

function enlarged<T extends { set(from: T): void }>(from: T, larger: T): T {
  larger.set(from)
  return larger
}
