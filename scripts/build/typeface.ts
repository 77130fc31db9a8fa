import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { convert } from 'fontverter'
import { Blob, Face } from 'harfbuzzjs'
import subsetFont from 'subset-font'
import { kept } from './kept.ts'

/** Geist comes in files by alphabet; a letter that several have is taken from the first. */
const ALPHABETS = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'vietnamese'] as const

/** The letters of one file, in every weight. */
export interface Alphabet {
  readonly file: Buffer
  readonly face: Face
  readonly codePoints: ReadonlySet<number>
}

export type Typeface = readonly Alphabet[]

/** Letters that stand side by side in a text, and the one file that has them all. */
export interface Run {
  readonly text: string
  /** Undefined where no file has them. */
  readonly alphabet: Alphabet | undefined
}

export function openTypeface(): Promise<Typeface> {
  return Promise.all(
    ALPHABETS.map(async (name) => {
      const path = `@fontsource-variable/geist/files/geist-${name}-wght-normal.woff2`
      const file = await convert(await readFile(fileURLToPath(import.meta.resolve(path))), 'sfnt')
      const face = new Face(new Blob(file))
      return { file, face, codePoints: new Set(face.collectUnicodes()) }
    }),
  )
}

/** Splits a text by the files that draw it. What a reader takes for one letter stays together. */
export function splitIntoRuns(typeface: Typeface, text: string): Run[] {
  const runs: Run[] = []
  for (const { segment } of graphemes.segment(text.normalize('NFC'))) {
    const codePoints = Array.from(segment, (character) => character.codePointAt(0) as number)
    const alphabet = typeface.find((one) => codePoints.every((code) => one.codePoints.has(code)))
    const last = runs.at(-1)
    if (last && last.alphabet === alphabet)
      runs.splice(-1, 1, { alphabet, text: last.text + segment })
    else runs.push({ alphabet, text: segment })
  }
  return runs
}

/** The letters that no file has, each once. */
export function missingLetters(typeface: Typeface, text: string): string[] {
  const missing = splitIntoRuns(typeface, text).filter(({ alphabet }) => alphabet === undefined)
  const letters = missing.flatMap((run) => [...graphemes.segment(run.text)])
  return [...new Set(letters.map(({ segment }) => segment))]
}

/**
 * Features that a browser applies by itself (CSS Fonts 4, 7.1), and figures of one width, which our
 * styles ask for. Each of the others would keep a second shape of some letters.
 */
const FEATURES = 'rvrn ccmp locl rlig liga clig calt kern mark mkmk tnum'.split(' ')

/** Cuts a file down to some letters and weights. @returns WOFF2. */
export function cut(
  { file }: Alphabet,
  letters: string,
  weights: { min: number; max: number },
): Promise<Buffer> {
  const variationAxes = { wght: weights }
  // Its types lack the option `keepFeatures`, which it has.
  const options = { targetFormat: 'woff2' as const, variationAxes, keepFeatures: FEATURES }
  const from = ['woff2', file, letters, JSON.stringify(options)]
  return kept(from, () => subsetFont(file, letters, options))
}

/** Without these a letter is still itself, alone or in a field. */
const EXTRAS = ['GDEF', 'GPOS', 'GSUB', 'MVAR', 'STAT', 'meta']

/** Cuts a file down to some letters of one weight, as small as can be: for what visitors type. */
export function cutPlain({ file }: Alphabet, letters: string, weight: number): Promise<Buffer> {
  const variationAxes = { wght: weight }
  const options = {
    targetFormat: 'woff2' as const,
    variationAxes,
    keepFeatures: [],
    dropTables: EXTRAS,
  }
  const from = ['woff2', file, letters, JSON.stringify(options)]
  return kept(from, () => subsetFont(file, letters, options))
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
