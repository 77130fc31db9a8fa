import { createHash } from 'node:crypto'
import type { CopyNote } from './copy-note.ts'

/** What SQLite gives, integers as `bigint`. */
type Cell = string | bigint | number | null | Uint8Array

/** SHA-256 over everything that is read of a copy, in the order in which it is read. */
export interface CopyDigest {
  table(name: string): void
  row(cells: readonly Cell[]): void
  /** @param note the copy's note without the seal. */
  end(note: Omit<CopyNote, 'seal'>): Uint8Array
}

export function copyDigest(): CopyDigest {
  const hash = createHash('sha256')
  return {
    table: (name) => hash.update(`\n${name}`),
    row: (cells) => hash.update(`\n${cells.map(written).join('')}`),
    end({ made, keys }) {
      const inOrder = Object.entries(keys).toSorted(([one], [other]) => (one < other ? -1 : 1))
      const asText = inOrder.map(([name, bytes]) => [name, Buffer.from(bytes).toString('hex')])
      return hash.update(`\n${JSON.stringify([made ?? null, asText])}`).digest()
    },
  }
}

/** A cell with its kind and length, so that it cannot look like another, or like two. */
function written(cell: Cell): string {
  if (typeof cell === 'string') return `s${cell.length}:${cell}`
  if (cell instanceof Uint8Array) return `b${cell.length}:${Buffer.from(cell).toString('hex')}`
  return `${typeof cell}:${cell};`
}
