import { type Alphabet, cut, splitIntoRuns, type Typeface } from './typeface.ts'

/** The lightest and the heaviest that the style sheets set. */
const WEIGHTS = { min: 400, max: 600 }

/**
 * The typeface as inline `@font-face` rules, reduced to the letters of some texts. Inline, so that
 * no text is shown in another font first.
 *
 * @returns a rule for each file that has a part in it.
 */
export async function fontFaces(typeface: Typeface, texts: readonly string[]): Promise<string> {
  const parts = new Map<Alphabet, string>()
  for (const { alphabet, text } of texts.flatMap((text) => splitIntoRuns(typeface, text)))
    if (alphabet) parts.set(alphabet, (parts.get(alphabet) ?? '') + text)

  const rules = [...parts].map(async ([alphabet, text]) => {
    const letters = [...new Set(text)].sort().join('')
    const font = await cut(alphabet, letters, WEIGHTS)
    // With a single file, no `unicode-range` is needed.
    const range = parts.size > 1 ? `;unicode-range:${rangeOf(letters)}` : ''
    return (
      `@font-face{font-family:Geist;font-weight:${WEIGHTS.min} ${WEIGHTS.max};font-display:block;` +
      `src:url(data:font/woff2;base64,${font.toString('base64')})${range}}`
    )
  })
  return (await Promise.all(rules)).join('')
}

function rangeOf(letters: string): string {
  return Array.from(letters, (letter) => `U+${letter.codePointAt(0)?.toString(16)}`).join()
}
