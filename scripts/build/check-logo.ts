import { readFile } from 'node:fs/promises'
import { contrast, EDGES } from '../../src/shared/colour.ts'
import { BLACK } from '../../src/shared/look.ts'
import { drawingFault } from './drawing.ts'
import { logoShape } from './logo.ts'
import { openSvg } from './resvg.ts'

/** From here on a shape is clear by its colour too, as orange is on white. WCAG excepts logos. */
const SEEN = 1.6
/** Below this one sees nothing of a part. */
const LOST = 1.2

/**
 * Checks how a logo will look to a visitor.
 *
 * @param ground on which it will stand, and must be seen; without one, on our black.
 * @param setting that named it.
 * @returns one sentence for each reason why it cannot be shown, and for each why it will not look
 *   as its maker thinks.
 */
export async function checkLogo(
  path: string,
  ground?: string,
  setting: 'logo' | 'icon' = 'logo',
): Promise<{ mistakes: readonly string[]; remarks: readonly string[] }> {
  const svg = await readFile(path)
  const fault = await drawingFault(svg.toString())
  if (fault) return { mistakes: [`${path} ${fault}`], remarks: [] }
  const background = ground ?? BLACK
  const fitTo = { mode: 'width', value: 64 } as const
  const drawn = await openSvg(svg, { fitTo, background }).catch(() => undefined)
  if (!drawn) return { mistakes: [`${path} is not an SVG that can be drawn`], remarks: [] }
  const shape = logoShape(svg.toString())
  if (!shape)
    return { mistakes: [`${path} has neither a viewBox nor a width and a height`], remarks: [] }
  if (shape.isWordmark && setting === 'icon')
    return {
      mistakes: [`${path} is at least twice as wide as high, must be about square`],
      remarks: [],
    }
  if (/<text[\s>]/.test(svg.toString())) {
    const remark = 'holds text, which icons and previews are drawn without; turn it into paths'
    return { mistakes: [], remarks: [remark] }
  }
  const ratios = contrasts(
    drawn.render().pixels,
    (await openSvg(svg, { fitTo })).render().pixels,
    background,
  )
  const clearest = ratios[Math.floor(ratios.length / 100)] ?? 1
  if (!ground) {
    const isDark = clearest < EDGES
    return { mistakes: [], remarks: isDark ? ['is dark on the black page, and hard to see'] : [] }
  }
  const lost = ratios.filter((ratio) => ratio < LOST).length / ratios.length
  if (clearest >= SEEN)
    return {
      mistakes: [],
      remarks: lost > 0.1 ? [`${path} has parts that cannot be seen on ${ground}`] : [],
    }
  const other = `${setting}: { light: 'brand/….svg', dark: 'brand/….svg' } names a file for each`
  return { mistakes: [`${path} cannot be seen on ${ground}; ${other}`], remarks: [] }
}

/**
 * How well each pixel that a logo draws stands out from the page's ground, the clearest first.
 *
 * @param seen red, green, blue and alpha, drawn on that: the first three are what one sees.
 * @param drawn the same on nothing.
 */
function contrasts(seen: Uint8Array, drawn: Uint8Array, ground: string): number[] {
  const ratios: number[] = []
  for (let at = 0; at < seen.length; at += 4) {
    if ((drawn[at + 3] ?? 0) < 128) continue
    ratios.push(contrast(`#${Buffer.from(seen.subarray(at, at + 3)).toString('hex')}`, ground))
  }
  return ratios.toSorted((a, b) => b - a)
}
