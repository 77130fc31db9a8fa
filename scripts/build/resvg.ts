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

/** What is wrong with a picture that cannot be drawn. */
export const undrawable = (svg: string): Promise<string | undefined> =>
  openSvg(svg).then(
    () => undefined,
    () => 'is not an SVG that can be drawn',
  )
