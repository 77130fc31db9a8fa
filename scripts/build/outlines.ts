import { Font, Buffer as Letters, shape, Variation } from 'harfbuzzjs'
import { splitIntoRuns, type Typeface } from './typeface.ts'

const TRACKING = -0.03

/** A line of text as outlines, in thousandths of an em. */
export interface Outlines {
  /** SVG, growing upwards from the baseline. */
  readonly paths: string
  readonly width: number
}

/** Draws a text, of which the typeface has every letter. */
export function outlinesOf(typeface: Typeface, text: string, weight: number): Outlines {
  const paths: string[] = []
  let end = 0
  for (const { alphabet, text: run } of splitIntoRuns(typeface, text)) {
    if (!alphabet) throw new Error(`the typeface has no ${run}`)
    const font = new Font(alphabet.face)
    // Newsreader has 2000 units to the em.
    const unit = 1000 / alphabet.face.upem
    const axes = Object.entries(alphabet.one ?? { wght: weight })
    font.setVariations(axes.map(([axis, value]) => new Variation(axis, value)))
    const letters = new Letters()
    letters.addText(run)
    letters.guessSegmentProperties()
    shape(font, letters)
    for (const glyph of letters.getGlyphInfosAndPositions()) {
      const { codepoint, xAdvance = 0, xOffset = 0, yOffset = 0 } = glyph
      const place = `translate(${end + xOffset * unit} ${yOffset * unit}) scale(${unit})`
      paths.push(`<path transform="${place}" d="${font.glyphToPath(codepoint)}"/>`)
      end += xAdvance * unit + TRACKING * 1000
    }
  }
  return { paths: paths.join(''), width: end }
}
