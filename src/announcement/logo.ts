import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { initWasm, Resvg } from '@resvg/resvg-wasm'

/** The logo as a PNG of 64 pixels a side, since mail clients show no SVG. Once a process. */
export async function drawLogo(svg: Buffer): Promise<Buffer> {
  await initWasm(readFile(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))))
  return Buffer.from(new Resvg(svg, { fitTo: { mode: 'width', value: 64 } }).render().asPng())
}
