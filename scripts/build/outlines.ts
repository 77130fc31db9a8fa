import { create, type Font } from 'fontkit'
import { cut, splitIntoRuns, type Typeface } from './typeface.ts'

const TRACKING = -0.03

/**
 * The last outlines of each file. fontkit looks for those of a space, which has none, where they
 * would be: past the end of the font, if nothing stands behind the space.
 */
const BEHIND_THE_SPACE = 'ʼ№₴\u0323'

/** A line of text as outlines, in the typeface's own units, 1000 to the em. */
export interface Outlines {
  /** SVG, growing upwards from the baseline. */
  readonly paths: string
  readonly width: number
}

/** Draws a text, of which the typeface has every letter. */
export async function outlinesOf(
  typeface: Typeface,
  text: string,
  weight: number,
): Promise<Outlines> {
  const paths: string[] = []
  let end = 0
  for (const { alphabet, text: letters } of splitIntoRuns(typeface, text)) {
    if (!alphabet) throw new Error(`the typeface has no ${letters}`)
    const font = create(await cut(alphabet, letters + BEHIND_THE_SPACE, weight, 'sfnt')) as Font
    const { glyphs, positions } = font.layout(letters)
    for (const [index, glyph] of glyphs.entries()) {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {}
      const place = `translate(${end + xOffset} ${yOffset})`
      paths.push(`<path transform="${place}" d="${glyph.path.toSVG()}"/>`)
      end += xAdvance + TRACKING * font.unitsPerEm
    }
  }
  return { paths: paths.join(''), width: end }
}
