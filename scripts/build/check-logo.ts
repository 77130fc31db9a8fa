import { readFile } from 'node:fs/promises'
import { contrast, EDGES } from '../../src/shared/colour.ts'
import { BLACK } from '../../src/shared/palette.ts'
import { logoShape } from './logo.ts'
import { openSvg, undrawable } from './resvg.ts'

/** From here on a shape is clear by its colour too, as orange is on white. WCAG excepts logos. */
const SEEN = 1.6
/** Below this one sees nothing of a part. */
const LOST = 1.2
/** Of a drawing of WIDTH, how many pixels within a part make it one. */
const LEAST_PART = 4
const WIDTH = 128
/** Of width to height, or the other way round. */
const MOST_RATIO = 20

interface Findings {
  readonly mistakes: readonly string[]
  readonly remarks: readonly string[]
}

const mistake = (text: string): Findings => ({ mistakes: [text], remarks: [] })
const remarked = (...remarks: string[]): Findings => ({ mistakes: [], remarks })

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
): Promise<Findings> {
  const svg = await readFile(path, 'utf8')
  const fault = await undrawable(svg)
  if (fault) return mistake(`${path} ${fault}`)
  const shape = logoShape(svg)
  if (!shape) return mistake(`${path} has neither a viewBox nor a width and a height`)
  if (Math.max(shape.ratio, 1 / shape.ratio) > MOST_RATIO)
    return mistake(`${path} is more than ${MOST_RATIO} times as wide as high, or as high as wide`)
  if (shape.isWordmark && setting === 'icon')
    return mistake(`${path} is at least twice as wide as high, must be about square`)
  if (/<text[\s>]/.test(svg))
    return remarked('holds text, which icons and previews are drawn without; turn it into paths')
  const background = ground ?? BLACK
  const fitTo = { mode: 'width', value: WIDTH } as const
  const { width, pixels } = (await openSvg(svg, { fitTo, background })).render()
  const alone = (await openSvg(svg, { fitTo })).render().pixels
  const all = contrasts(pixels, alone, background)
  const ratios = all.filter((ratio) => ratio !== undefined).toSorted((a, b) => b - a)
  const clearest = ratios[Math.floor(ratios.length / 100)] ?? 1
  if (!ground)
    return clearest < EDGES ? remarked('is dark on the black page, and hard to see') : remarked()
  const other = `${setting}: { light: 'brand/….svg', dark: 'brand/….svg' } names a file for each`
  if (clearest < SEEN) return mistake(`${path} cannot be seen on ${ground}; ${other}`)
  const advice = `give them a colour that can, or ${other}`
  return hasLostPart(all, width)
    ? remarked(`${path} has parts that cannot be seen on ${ground}: ${advice}`)
    : remarked()
}

/**
 * How well each pixel that a logo draws stands out from the page's ground; nothing where it draws none.
 *
 * @param seen red, green, blue and alpha, drawn on that: the first three are what one sees.
 * @param drawn the same on nothing.
 */
function contrasts(seen: Uint8Array, drawn: Uint8Array, ground: string): (number | undefined)[] {
  return Array.from({ length: seen.length / 4 }, (_, pixel) => {
    const at = pixel * 4
    if ((drawn[at + 3] ?? 0) < 128) return undefined
    return contrast(`#${Buffer.from(seen.subarray(at, at + 3)).toString('hex')}`, ground)
  })
}

/**
 * Whether a part of a drawing is lost on its ground: a patch that is too like it and that ends at nothing
 * drawn, as a dark beak does in the night. An eye in the middle of a face is seen by the face around it.
 *
 * @param ratios of each pixel, row by row; nothing where none is drawn.
 */
function hasLostPart(ratios: readonly (number | undefined)[], width: number): boolean {
  const isLost = (at: number) => (ratios[at] ?? LOST) < LOST
  const around = (at: number) => {
    const sides = [at - width, at + width]
    if (at % width > 0) sides.push(at - 1)
    if (at % width < width - 1) sides.push(at + 1)
    return sides
  }
  const patches: number[][] = []
  const known = new Set<number>()
  for (const start of ratios.keys()) {
    if (known.has(start) || !isLost(start)) continue
    const patch = [start]
    known.add(start)
    for (const at of patch)
      for (const next of around(at))
        if (isLost(next) && !known.has(next)) {
          known.add(next)
          patch.push(next)
        }
    patches.push(patch)
  }
  // A pixel at an edge is half of the ground, so a patch has some that are within it.
  const isWithin = (at: number) => around(at).every(isLost)
  const isOpen = (at: number) => around(at).some((next) => ratios[next] === undefined)
  return patches.some((patch) => patch.filter(isWithin).length >= LEAST_PART && patch.some(isOpen))
}
