import { basename } from 'node:path'
import type { CodedLetter } from '../../../announcement/codes.ts'
import {
  type FoundTranslation,
  findTranslations,
  type Letters,
} from '../../../announcement/run/translations.ts'
import { codesBy } from '../../../features/all.ts'
import { type Letter, parseLetter } from '../../../mail/letter/letter.ts'
import { productFolder } from '../../../product/folders.mjs'
import { languagesOf } from '../../../product/languages.ts'
import { languageCode } from '../../../shared/language-code.ts'
import type { ProductLanguages } from '../../../shared/product.ts'
import { say, spokenLanguage } from '../../../shared/say.ts'
import { OperatorError } from '../../../terminal/operator-error.ts'
import type { LetterCheck, LetterTest } from '../../contract/letters.ts'
import type { DeskParts } from '../parts.ts'
import { featureParts } from '../report-page.ts'
import {
  type KeptLetter,
  type LetterFolder,
  LONGEST_LETTER,
  letterFolder,
  versionOf,
} from './letter-folder.ts'
import { type Standing, standingOf } from './standing.ts'

/** The findings of a check, and the version of the letter that was checked. */
export interface FoundCheck {
  readonly version: string
  readonly check: LetterCheck
  /** The keys of its problems. */
  readonly problems: readonly string[]
}

/**
 * What the pages of letters share: the letters, the states of their announcements, the last
 * findings.
 */
export interface LetterDesk extends DeskParts {
  /** The founder's folder. */
  readonly root: string
  readonly folder: LetterFolder
  readonly mailFrom: string
  readonly languages: ProductLanguages
  readonly codes: CodedLetter['codes']
  /** @throws StoreUnavailable */
  readonly standingOf: (name: string) => Promise<Standing>
  /** The findings since the desk started, by the letter's name; dropped when the letter changes. */
  readonly checks: Map<string, FoundCheck>
  /** The results of tests, until they are shown. */
  readonly tests: Map<string, LetterTest>
  /** Tests under way or just sent, by a hash of the letter and the address. */
  readonly testsSent: Map<string, Promise<LetterTest> | 'sent'>
}

export function letterDesk(parts: DeskParts): LetterDesk {
  const { store, dataDir, settings } = parts
  const folder = letterFolder(dataDir)
  return {
    ...parts,
    root: productFolder,
    folder,
    mailFrom: settings.mailFrom ?? '',
    languages: languagesOf(parts.product),
    codes: () => codesBy((feature) => featureParts(parts, feature)),
    standingOf: (name) => standingOf(store, name),
    checks: new Map(),
    tests: new Map(),
    testsSent: new Map(),
  }
}

/** A language, such as `German`; what names none as it is. */
export function languageLabel(code: string): string {
  if (languageCode(code) !== code) return code
  return new Intl.DisplayNames(spokenLanguage(), { type: 'language' }).of(code) ?? code
}

/** A letter's file, read as the command reads it. */
function readKept(
  { source }: Pick<KeptLetter, 'source'>,
  mailFrom: string,
): { letter: Letter } | { mistakes: string[] } {
  // A file that is too long was put there by hand.
  if (source === '')
    return { mistakes: [say('is empty, or longer than {kB} kB', { kB: LONGEST_LETTER / 1000 })] }
  return parseLetter(source, mailFrom)
}

/** A letter of the desk with all of its translations, as they lie there. */
export interface WholeLetter {
  readonly kept: KeptLetter
  /** `undefined` where it has mistakes. */
  readonly letter: Letter | undefined
  /** Those of the letter itself. */
  readonly mistakes: readonly string[]
  readonly translations: readonly FoundTranslation[]
  /** Changes with each of its files. */
  readonly version: string
}

/** Reads a letter and what lies beside it as the command does; `undefined` where there is none. */
export function readWhole(desk: LetterDesk, name: string): WholeLetter | undefined {
  const kept = desk.folder.read(name)
  return kept && wholeOf(desk, kept)
}

/** A letter that was read, with what lies beside it. */
export function wholeOf(
  { folder, mailFrom, languages }: LetterDesk,
  kept: KeptLetter,
): WholeLetter {
  const read = readKept(kept, mailFrom)
  const letter = 'letter' in read ? read.letter : undefined
  const sources: string[] = []
  const readBeside = (path: string) => {
    const source = folder.readBeside(path)
    if (source === undefined) return { mistakes: [say('is a link, or no plain file')] }
    sources.push(path, source)
    return readKept({ source }, mailFrom)
  }
  const translations = findTranslations(folder.fileOf(kept.name), letter, languages, readBeside)
  const all = translations.length > 0 ? JSON.stringify([kept.source, ...sources]) : kept.source
  return {
    kept,
    letter,
    mistakes: 'mistakes' in read ? read.mistakes : [],
    translations,
    version: versionOf({ source: all }),
  }
}

/** All that is wrong with a letter, with the file's name where it is a translation's. */
export function mistakesOf({ mistakes, translations }: WholeLetter): string[] {
  const beside = translations.flatMap((one) =>
    one.mistakes.map((mistake) => `${basename(one.path)}: ${mistake}`),
  )
  return [...mistakes, ...beside]
}

/** Its translations that can be sent. */
export function withoutMistakes({ translations }: WholeLetter) {
  return translations.flatMap((one) => (one.letter ? [{ ...one, letter: one.letter }] : []))
}

/**
 * A letter that can be sent, in all of its languages.
 *
 * @throws OperatorError where there is none, or it has mistakes
 */
export function usable(desk: LetterDesk, name: string): WholeLetter & Letters {
  const whole = readWhole(desk, name)
  if (!whole) throw new OperatorError(say('There is no letter "{name}".', { name }))
  const { letter } = whole
  const mistakes = mistakesOf(whole)
  if (!letter || mistakes.length > 0) throw new OperatorError(mistakes.join('\n'))
  return { ...whole, letter, translations: withoutMistakes(whole) }
}
