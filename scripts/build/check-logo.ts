import { readFile } from 'node:fs/promises'
import { contrast, EDGES } from '../../src/shared/colour.ts'
import { BLACK } from '../../src/shared/look.ts'
import { logoShape } from './logo.ts'
import { openSvg } from './resvg.ts'

/** From here on a shape is clear by its colour too, as orange is on white. WCAG excepts logos. */
const SEEN = 2

/**
 * Checks how a logo will look to a visitor.
 *
 * @param ground on which it will stand, and must be seen; without one, on our black.
 * @returns one sentence for each reason why it cannot be shown, and for each why it will not look
 *   as its maker thinks.
 */
export async function checkLogo(
  path: string,
  ground?: string,
): Promise<{ mistakes: readonly string[]; remarks: readonly string[] }> {
  const svg = await readFile(path)
  const background = ground ?? BLACK
  const fitTo = { mode: 'width', value: 64 } as const
  const drawn = await openSvg(svg, { fitTo, background }).catch(() => undefined)
  if (!drawn) return { mistakes: [`${path} is not an SVG that can be drawn`], remarks: [] }
  if (!logoShape(svg.toString()))
    return { mistakes: [`${path} has neither a viewBox nor a width and a height`], remarks: [] }
  if (/<text[\s>]/.test(svg.toString())) {
    const remark = 'holds text, which icons and previews are drawn without; turn it into paths'
    return { mistakes: [], remarks: [remark] }
  }
  const ratio = clearest(drawn.render().pixels, background)
  if (ratio >= (ground ? SEEN : EDGES)) return { mistakes: [], remarks: [] }
  if (!ground) return { mistakes: [], remarks: ['is dark on the black page, and hard to see'] }
  const other = "logo: { light: 'brand/….svg', dark: 'brand/….svg' } names a file for each"
  return { mistakes: [`${path} cannot be seen on ${ground}; ${other}`], remarks: [] }
}

/**
 * How well a logo's clearest parts, a hundredth of the picture, stand out from the page's ground.
 *
 * @param pixels red, green, blue and alpha, drawn on that: the first three are what one sees.
 */
function clearest(pixels: Uint8Array, ground: string): number {
  const ratios: number[] = []
  for (let at = 0; at < pixels.length; at += 4) {
    const seen = Buffer.from(pixels.subarray(at, at + 3)).toString('hex')
    ratios.push(contrast(`#${seen}`, ground))
  }
  return ratios.toSorted((a, b) => b - a)[Math.floor(ratios.length / 100)] ?? 1
}
