/** One change to the disk, as `disk.c` wrote it down. */
export interface Change {
  readonly what: 'create' | 'write' | 'truncate' | 'sync' | 'unlink' | 'rename'
  readonly name: string
  readonly offset: number
  readonly data: Buffer
}

/** Reads the log of `disk.c`. */
export function* changesIn(log: Buffer): Generator<Change> {
  for (let at = 0; at < log.length; ) {
    const end = log.indexOf(10, at)
    const [what = '', name = '', offset, length] = log.toString('latin1', at, end).split(' ')
    at = end + 1 + Number(length)
    yield {
      what: what as Change['what'],
      name,
      offset: Number(offset),
      data: log.subarray(end + 1, at),
    }
  }
}

interface FileOnDisk {
  /** What is sure to be there. */
  kept: Buffer
  /** What was written since the last sync, in order. */
  loose: Change[]
}

type Names = Map<string, FileOnDisk>

const SECTOR = 512

/**
 * What a disk holds, and what of it is sure. Until a file is synced each of its writes may be lost,
 * torn at a sector, or there, whatever became of the others. Names (files made, renamed, removed)
 * are sure once their folder is synced, and until then lost from the last one back, since file
 * systems keep those in order.
 */
export class Disk {
  readonly #names: Names = new Map()
  #keptNames: Names = new Map()
  #looseNames: ((names: Names) => void)[] = []

  apply(change: Change): void {
    const { what, name } = change
    const file = this.#names.get(name)
    if (what === 'sync' && name === '.') {
      this.#keptNames = new Map(this.#names)
      this.#looseNames = []
    } else if (what === 'sync' && file) {
      file.kept = withChanges(file.kept, file.loose)
      file.loose = []
    } else if (what === 'create') {
      const made = { kept: Buffer.alloc(0), loose: [] }
      this.#rename((names) => names.set(name, made))
    } else if (what === 'unlink') {
      this.#rename((names) => names.delete(name))
    } else if (what === 'rename' && file) {
      const to = change.data.toString()
      this.#rename((names) => names.delete(name) && names.set(to, file))
    } else file?.loose.push(change)
  }

  #rename(how: (names: Names) => void) {
    how(this.#names)
    this.#looseNames.push(how)
  }

  /** What is left when the process is killed now, and the machine lives on. */
  afterKill(): Map<string, Buffer> {
    return new Map(
      [...this.#names].map(([name, { kept, loose }]) => [name, withChanges(kept, loose)]),
    )
  }

  /** One of the many things that may be left when the power goes now. */
  afterPowerLoss(random: () => number): Map<string, Buffer> {
    const names = new Map(this.#keptNames)
    const survivors = Math.floor(random() * (this.#looseNames.length + 1))
    for (const how of this.#looseNames.slice(0, survivors)) how(names)
    // All of it, none of it, or anything between.
    const odds = [0, 1, random()][Math.floor(random() * 3)] ?? 0
    const left = ({ kept, loose }: FileOnDisk) =>
      withChanges(
        kept,
        loose.filter(() => random() < odds).map((change) => torn(change, random)),
      )
    return new Map([...names].map(([name, file]) => [name, left(file)]))
  }
}

/** Now and then, only the first sectors of a write. */
function torn(change: Change, random: () => number): Change {
  if (change.what !== 'write' || random() < 0.8) return change
  const sectors = Math.floor((random() * change.data.length) / SECTOR)
  return { ...change, data: change.data.subarray(0, sectors * SECTOR) }
}

function withChanges(content: Buffer, changes: readonly Change[]): Buffer {
  const ends = changes.map(({ offset, data }) => offset + data.length)
  const result = Buffer.alloc(ends.reduce((most, end) => Math.max(most, end), content.length))
  let { length } = content
  content.copy(result)
  for (const { what, offset, data } of changes) {
    if (what === 'write') data.copy(result, offset)
    else result.fill(0, offset)
    length = what === 'write' ? Math.max(length, offset + data.length) : offset
  }
  return result.subarray(0, length)
}
