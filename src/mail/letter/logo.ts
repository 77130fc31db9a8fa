import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { initWasm, Resvg } from '@resvg/resvg-wasm'

let ready: Promise<void> | undefined

/** Loads the drawing program, which a process can do once. */
export function loadResvg(): Promise<void> {
  ready ??= initWasm(
    readFile(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))),
  )
  return ready
}

/**
 * The logo as a PNG of 64 by 64 pixels, since mail clients show no SVG. A logo that is not square
 * is scaled to fit and centred.
 */
export async function drawLogo(svg: Buffer): Promise<Buffer> {
  await loadResvg()
  const source = `data:image/svg+xml;base64,${svg.toString('base64')}`
  const square = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><image width="64" height="64" href="${source}"/></svg>`
  return Buffer.from(new Resvg(square).render().asPng())
}
