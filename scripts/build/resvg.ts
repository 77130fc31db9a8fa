import { Resvg, type ResvgRenderOptions } from '@resvg/resvg-wasm'
import { loadResvg } from '../../src/mail/letter/logo.ts'

/**
 * Reads an SVG to be measured and drawn; it brings no fonts, so text in it is left out.
 *
 * @throws when it is no SVG.
 */
export async function openSvg(svg: string | Uint8Array, options?: ResvgRenderOptions) {
  await loadResvg()
  return new Resvg(svg, options)
}
