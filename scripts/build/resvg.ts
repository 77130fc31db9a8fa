import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { initWasm, Resvg, type ResvgRenderOptions } from '@resvg/resvg-wasm'

let ready: Promise<void> | undefined

/**
 * Reads an SVG to be measured and drawn; it brings no fonts, so text in it is left out.
 *
 * @throws when it is no SVG.
 */
export async function openSvg(svg: string | Uint8Array, options?: ResvgRenderOptions) {
  ready ??= readFile(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))).then(
    initWasm,
  )
  await ready
  return new Resvg(svg, options)
}
