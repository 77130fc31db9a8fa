import { type Alphabet, cut, cutPlain, splitIntoRuns, type Typeface } from './typeface.ts'

/** The lightest and the heaviest that the style sheets set. */
const WEIGHTS = { min: 400, max: 600 }

/** The family of letters of light texts only: the styles name it next, so it says nowhere which it has. */
const SECOND = 'Second'

/**
 * The typeface as inline `@font-face` rules, reduced to the letters of some texts. Inline, so that
 * no text is shown in another font first.
 *
 * @param light texts in the regular weight alone, such as what visitors may type.
 * @param isTabular whether the figures of light texts must be of one width.
 * @param isKerned whether the pairs of letters of all others are set closer.
 * @returns a rule for each file that has a part in it, and one more for each that has letters of light
 *   texts only.
 */
export async function fontFaces(
  typeface: Typeface,
  texts: readonly string[],
  light: readonly string[] = [],
  { isTabular = false, isKerned = true } = {},
): Promise<string> {
  const read = new Set(texts.join('').normalize('NFC'))
  const unread = [...light.join('').normalize('NFC')].filter((letter) => !read.has(letter))
  const rules = [
    ...facesOf(byAlphabet(typeface, texts), (alphabet, letters) =>
      cut(alphabet, letters, WEIGHTS, { isKerned }),
    ),
    ...facesOf(
      byAlphabet(typeface, unread),
      (alphabet, letters) => cutPlain(alphabet, letters, WEIGHTS.min, { isTabular }),
      SECOND,
    ),
  ]
  return (await Promise.all(rules)).join('')
}

/** The letters of some texts by the file that has them, each once and in one order. */
function byAlphabet(typeface: Typeface, texts: readonly string[]): Map<Alphabet, string> {
  const parts = new Map<Alphabet, string>()
  for (const { alphabet, text } of texts.flatMap((text) => splitIntoRuns(typeface, text)))
    if (alphabet) parts.set(alphabet, (parts.get(alphabet) ?? '') + text)
  for (const [alphabet, text] of parts) parts.set(alphabet, [...new Set(text)].sort().join(''))
  return parts
}

/** Each has the same weights: browsers look for a letter only among faces that have. */
function facesOf(
  parts: Map<Alphabet, string>,
  cutTo: (alphabet: Alphabet, letters: string) => Promise<Buffer>,
  family?: string,
): Promise<string>[] {
  return [...parts].map(async ([alphabet, letters]) => {
    const font = await cutTo(alphabet, letters)
    // With a single file, no `unicode-range` is needed.
    const range = parts.size > 1 ? `;unicode-range:${rangeOf(letters)}` : ''
    return (
      `@font-face{font-family:${family ?? alphabet.family};` +
      `font-weight:${WEIGHTS.min} ${WEIGHTS.max};font-display:block;` +
      `${alphabet.measures ? `${alphabet.measures};` : ''}` +
      `src:url(data:font/woff2;base64,${font.toString('base64')})${range}}`
    )
  })
}

/** @param letters in the order of their code points. */
function rangeOf(letters: string): string {
  const runs: [first: number, last: number][] = []
  for (const letter of letters) {
    const code = letter.codePointAt(0) ?? 0
    const run = runs.at(-1)
    if (run && run[1] === code - 1) run[1] = code
    else runs.push([code, code])
  }
  return runs
    .map(([first, last]) => `U+${first.toString(16)}${last > first ? `-${last.toString(16)}` : ''}`)
    .join()
}
