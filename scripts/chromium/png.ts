import { inflateSync } from 'node:zlib'

/** A picture: its pixels line by line, each of 3 or 4 parts: red, green, blue, and how opaque. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly parts: number
  readonly data: Uint8Array
}

/** The parts of a pixel by PNG's kind of colour. */
const PARTS: Readonly<Record<number, number>> = { 2: 3, 6: 4 }

/**
 * Whether one can see a change of a part of a pixel. Less is how an edge is smoothed, which differs by
 * what lies in a layer of its own.
 */
export const isSeen = (before = 0, after = 0) => Math.abs(before - after) > 8

/** Reads a screenshot as browsers write it: a PNG of eight bits a part that is not interlaced. */
export function readPng(file: Buffer): Picture {
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)]
  const parts = PARTS[file.readUInt8(25)]
  if (file.readUInt8(24) !== 8 || !parts || file.readUInt8(28) !== 0)
    throw new Error('no browser was known to write such a PNG')
  const packed: Buffer[] = []
  for (let at = 8; at < file.length; at += file.readUInt32BE(at) + 12)
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT')
      packed.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)))
  const filtered = inflateSync(Buffer.concat(packed))

  const across = width * parts
  const data = new Uint8Array(across * height)
  for (let y = 0; y < height; y += 1) {
    const from = y * (across + 1)
    const guess = GUESSES[filtered[from] ?? 0]
    if (!guess) throw new Error('this is no PNG')
    for (let x = 0, at = y * across; x < across; x += 1, at += 1) {
      const left = x < parts ? 0 : (data[at - parts] ?? 0)
      const above = y === 0 ? 0 : (data[at - across] ?? 0)
      const before = x < parts || y === 0 ? 0 : (data[at - across - parts] ?? 0)
      data[at] = (filtered[from + 1 + x] ?? 0) + guess(left, above, before)
    }
  }
  return { width, height, parts, data }
}

/** What each of PNG's filters takes a part for, by those around it. */
const GUESSES: readonly ((left: number, above: number, before: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, above) => above,
  (left, above) => (left + above) >> 1,
  (left, above, before) => {
    const byLeft = Math.abs(above - before)
    const byAbove = Math.abs(left - before)
    const byBefore = Math.abs(left + above - 2 * before)
    if (byLeft <= byAbove && byLeft <= byBefore) return left
    return byAbove <= byBefore ? above : before
  },
]
