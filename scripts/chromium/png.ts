import { openSvg } from '../build/resvg.ts'

/** A picture: its pixels line by line, each of four parts: red, green, blue, and how opaque. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** The parts of a pixel. */
export const PARTS = 4

/**
 * Whether one can see a change of a part of a pixel. Less is how an edge is smoothed, which differs by
 * what lies in a layer of its own.
 */
export const isSeen = (before = 0, after = 0) => Math.abs(before - after) > 8

/** Reads a PNG, such as a screenshot, as a drawing that is nothing but that picture. */
export async function readPng(file: Buffer): Promise<Picture> {
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)]
  const size = `width="${width}" height="${height}"`
  const picture = `<image ${size} href="data:image/png;base64,${file.toString('base64')}"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${picture}</svg>`
  const drawing = await openSvg(svg)
  const drawn = drawing.render()
  const data = drawn.pixels
  drawn.free()
  drawing.free()
  return { width, height, data }
}
