import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { WORDMARK } from '../../shared/look.ts'

let ready: Promise<void> | undefined

/** Loads the drawing program, which a process can do once. */
export function loadResvg(): Promise<void> {
  ready ??= initWasm(
    readFile(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))),
  )
  return ready
}

/** Of a picture, whose pixels are half as large where it is shown. */
const HEIGHT = 64
const WIDEST = 448

/**
 * The logo as a PNG 64 pixels high, since mail clients show no SVG: a wordmark as wide as it needs, any
 * other in a square, scaled to fit and centred.
 */
export async function drawLogo(svg: Buffer): Promise<Buffer> {
  await loadResvg()
  const own = new Resvg(svg)
  const ratio = own.width / own.height
  own.free()
  // The wider, the lower: as on the page, all weigh about the same.
  const wide = Math.min(WIDEST, Math.round(HEIGHT * Math.sqrt(ratio * WORDMARK)))
  const width = ratio >= WORDMARK ? wide : HEIGHT
  const source = `data:image/svg+xml;base64,${svg.toString('base64')}`
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}"><image width="${width}" height="${HEIGHT}" href="${source}"/></svg>`
  return Buffer.from(new Resvg(drawn).render().asPng())
}

/** How wide a letter shows a logo that was drawn for it: 32, or more for a wordmark. */
export function logoWidth(png: Buffer): number {
  return png.length < 24 ? HEIGHT / 2 : Math.round(png.readUInt32BE(16) / 2)
}
