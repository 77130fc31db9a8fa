import { readFile } from 'node:fs/promises'
import { contrast } from '../../src/shared/colour.ts'
import { GROUND } from '../../src/shared/product.ts'
import { logoShape } from './logo.ts'
import { openSvg } from './resvg.ts'

/**
 * Checks how a logo will look to a visitor.
 *
 * @returns one sentence for each reason why it cannot be shown, and for each why it will not look
 *   as its maker thinks.
 */
export async function checkLogo(
  path: string,
): Promise<{ mistakes: readonly string[]; remarks: readonly string[] }> {
  const svg = await readFile(path)
  const drawn = await openSvg(svg, { fitTo: { mode: 'width', value: 64 } }).catch(() => undefined)
  if (!drawn) return { mistakes: [`${path} is not an SVG that can be drawn`], remarks: [] }
  if (!logoShape(svg.toString()))
    return { mistakes: [`${path} has neither a viewBox nor a width and a height`], remarks: [] }
  if (/<text[\s>]/.test(svg.toString())) {
    const remark = 'holds text, which icons and previews are drawn without; turn it into paths'
    return { mistakes: [], remarks: [remark] }
  }
  const isDark = brightest(drawn.render().pixels) < 3
  return { mistakes: [], remarks: isDark ? ['is dark on the black page, and hard to see'] : [] }
}

/**
 * How well a logo's brightest parts, a hundredth of the picture, stand out from the page's ground.
 *
 * @param pixels red, green, blue and alpha, on black: the first three are what one sees.
 */
function brightest(pixels: Uint8Array): number {
  const ratios: number[] = []
  for (let at = 0; at < pixels.length; at += 4) {
    const seen = Buffer.from(pixels.subarray(at, at + 3)).toString('hex')
    ratios.push(contrast(`#${seen}`, GROUND))
  }
  return ratios.toSorted((a, b) => b - a)[Math.floor(ratios.length / 100)] ?? 1
}
