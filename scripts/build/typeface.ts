import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { convert } from 'fontverter'
import { Blob, Face } from 'harfbuzzjs'
import subsetFont from 'subset-font'
import { kept } from './kept.ts'

/** A family of a package that comes in files by alphabet; a letter that several have is taken from the first. */
const GEIST = {
  family: 'Geist',
  files: 'geist/files/geist-{alphabet}-wght-normal.woff2',
  alphabets: ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'vietnamese'],
}

/**
 * The serif. Its weights and optical sizes would be 4 kB more than the first answer has room for: so it is
 * cut at one of each, by eye for a heading on a phone that a line of 15 px still bears. It is drawn smaller
 * than Geist, and higher above its baseline: without the measures, buttons look lopsided.
 */
const NEWSREADER = {
  family: 'Newsreader',
  files: 'newsreader/files/newsreader-{alphabet}-opsz-normal.woff2',
  alphabets: ['latin', 'latin-ext', 'vietnamese'],
  one: { wght: 500, opsz: 32 },
  measures: 'size-adjust:108%;ascent-override:93%;descent-override:26%;line-gap-override:0%',
}

/** The letters of one file, in every weight. */
export interface Alphabet {
  readonly file: Buffer
  readonly face: Face
  readonly codePoints: ReadonlySet<number>
  readonly family: string
  /** The only place on its axes at which it is used, for a family of one weight. */
  readonly one?: Readonly<Record<string, number>> | undefined
  /** What its `@font-face` says of its measures. */
  readonly measures?: string | undefined
}

export type Typeface = readonly Alphabet[]

/** Letters that stand side by side in a text, and the one file that has them all. */
export interface Run {
  readonly text: string
  /** Undefined where no file has them. */
  readonly alphabet: Alphabet | undefined
}

/** @param type what `look` chose; letters that a serif lacks are Geist's. */
export function openTypeface(type?: 'serif'): Promise<Typeface> {
  const families = type === 'serif' ? [NEWSREADER, GEIST] : [GEIST]
  const all = families.flatMap((one) => one.alphabets.map((alphabet) => ({ ...one, alphabet })))
  return Promise.all(
    all.map(async ({ files, alphabet, alphabets: _, ...family }) => {
      const path = `@fontsource-variable/${files.replace('{alphabet}', alphabet)}`
      const file = await convert(await readFile(fileURLToPath(import.meta.resolve(path))), 'sfnt')
      const face = new Face(new Blob(file))
      return { ...family, file, face, codePoints: new Set(face.collectUnicodes()) }
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
 * styles ask for. Each of the others would keep a second shape of some letters; `locl` as well, for
 * languages in which no page is.
 */
const FEATURES = 'rvrn ccmp rlig liga clig calt kern mark mkmk tnum'.split(' ')

/** The same without what a family of one weight and one width of figures does without: ligatures are 0.6 kB. */
const FEWER = 'ccmp kern mark mkmk'.split(' ')

/**
 * Cuts a file down to some letters and weights.
 *
 * @param isKerned whether pairs of letters are set closer: 0.7 kB, and 1 kB of the serif.
 * @returns WOFF2.
 */
export function cut(
  { file, one }: Alphabet,
  letters: string,
  weights: { min: number; max: number },
  { isKerned }: { readonly isKerned: boolean },
): Promise<Buffer> {
  const features = one ? FEWER : FEATURES
  // Its types lack the option `keepFeatures`, which it has.
  const options = {
    variationAxes: one ?? { wght: weights },
    keepFeatures: isKerned ? features : features.filter((one) => one !== 'kern'),
    // STAT is for menus of fonts, and speaks of names that go. HVAR says once more what gvar says of widths
    // (OpenType 1.9, "HVAR"). MVAR moves an underline by a hair.
    dropTables: ['STAT', 'HVAR', 'MVAR'],
  }
  return cutBy(file, letters, options, [COPYRIGHT, ...NAMES, AXIS])
}

/** Without these a letter is still itself, alone or in a field. */
const EXTRAS = ['GDEF', 'GPOS', 'MVAR', 'STAT', 'meta']

/**
 * Cuts a file down to some letters of one weight, as small as can be: to stand beside the other cut.
 *
 * @param isTabular whether a style may ask for figures of one width.
 */
export function cutPlain(
  { file, one }: Alphabet,
  letters: string,
  weight: number,
  { isTabular }: { readonly isTabular: boolean },
): Promise<Buffer> {
  const options = {
    variationAxes: one ?? { wght: weight },
    keepFeatures: isTabular ? ['tnum'] : [],
    dropTables: isTabular ? EXTRAS : [...EXTRAS, 'GSUB'],
  }
  return cutBy(file, letters, options, NAMES)
}

function cutBy(
  file: Buffer,
  letters: string,
  options: NonNullable<Parameters<typeof subsetFont>[2]>,
  names: readonly number[],
): Promise<Buffer> {
  const from = ['woff2', file, letters, JSON.stringify([options, names])]
  return kept(from, async () => {
    const font = await subsetFont(file, letters, { ...options, targetFormat: 'sfnt' })
    keepNames(font, names)
    return Buffer.from(await convert(font, 'woff2'))
  })
}

/** Names in a font, by their numbers in OpenType. Systems want the family's, the PostScript name and an axis's. */
const COPYRIGHT = 0
const AXIS = 256
const NAMES = [1, 6]

/**
 * Leaves only some names in a font, in place: the others are read by nobody, and cost 150 bytes each time.
 *
 * @param font TrueType, whose table `name` gets shorter.
 */
function keepNames(font: Buffer, names: readonly number[]): void {
  const entry = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + 16 * index).find(
    (at) => font.toString('latin1', at, at + 4) === 'name',
  )
  if (entry === undefined) throw new Error('the font has no names')
  const at = font.readUInt32BE(entry + 8)
  const strings = at + font.readUInt16BE(at + 4)
  const records = Array.from({ length: font.readUInt16BE(at + 2) }, (_, index) => {
    const head = Buffer.from(font.subarray(at + 6 + 12 * index, at + 18 + 12 * index))
    const start = strings + head.readUInt16BE(10)
    const text = Buffer.from(font.subarray(start, start + head.readUInt16BE(8)))
    return { head, text }
  }).filter(({ head }) => names.includes(head.readUInt16BE(6)))
  font.writeUInt16BE(records.length, at + 2)
  font.writeUInt16BE(6 + 12 * records.length, at + 4)
  let end = 0
  for (const [index, { head, text }] of records.entries()) {
    head.writeUInt16BE(end, 10)
    head.copy(font, at + 6 + 12 * index)
    text.copy(font, at + 6 + 12 * records.length + end)
    end += text.length
  }
  font.writeUInt32BE(6 + 12 * records.length + end, entry + 12)
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
