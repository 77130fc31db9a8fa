import { type Alphabet, cut, cutPlain, splitIntoRuns, type Typeface } from './typeface.ts'

/** The lightest and the heaviest that the style sheets set. */
const WEIGHTS = { min: 400, max: 600 }

/**
 * The typeface as inline `@font-face` rules, reduced to the letters of some texts. Inline, so that
 * no text is shown in another font first.
 *
 * @param typed what visitors may type. Of what is in no text, only its regular weight is brought along.
 * @returns a rule for each file that has a part in it, and one for what is only typed.
 */
export async function fontFaces(
  typeface: Typeface,
  texts: readonly string[],
  typed = '',
): Promise<string> {
  const parts = new Map<Alphabet, string>()
  for (const { alphabet, text } of texts.flatMap((text) => splitIntoRuns(typeface, text)))
    if (alphabet) parts.set(alphabet, (parts.get(alphabet) ?? '') + text)

  const rules = [...parts].map(async ([alphabet, text]) => {
    const letters = [...new Set(text)].sort().join('')
    const font = await cut(alphabet, letters, WEIGHTS)
    // With a single file, no `unicode-range` is needed.
    return faceOf(font, parts.size > 1 ? letters : undefined)
  })
  const read = new Set(texts.join('').normalize('NFC'))
  const more = [...new Set(typed)].filter(
    (letter) => !read.has(letter) && typeface[0]?.codePoints.has(letter.codePointAt(0) ?? 0),
  )
  const letters = more.sort().join('')
  if (typeface[0] && letters)
    rules.push(cutPlain(typeface[0], letters, WEIGHTS.min).then((font) => faceOf(font, letters)))
  return (await Promise.all(rules)).join('')
}

/**
 * Each has the same weights: browsers look for a letter only among faces that have.
 *
 * @param letters of this face, where there are others.
 */
function faceOf(font: Buffer, letters: string | undefined): string {
  const range = letters === undefined ? '' : `;unicode-range:${rangeOf(letters)}`
  return (
    `@font-face{font-family:Geist;font-weight:${WEIGHTS.min} ${WEIGHTS.max};font-display:block;` +
    `src:url(data:font/woff2;base64,${font.toString('base64')})${range}}`
  )
}

function rangeOf(letters: string): string {
  return Array.from(letters, (letter) => `U+${letter.codePointAt(0)?.toString(16)}`).join()
}
