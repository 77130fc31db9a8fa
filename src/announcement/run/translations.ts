import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { CODE, type Letter, letterDigest } from '../../mail/letter/letter.ts'
import type { Translated } from '../../mail/letter/message.ts'
import { senderDomain } from '../../mail/sender.ts'
import { languageCode } from '../../shared/language-code.ts'
import type { ProductLanguages } from '../../shared/product.ts'
import { say } from '../../shared/say.ts'
import { refused } from '../refusal.ts'

/** A letter and the same letter in other languages: one announcement. */
export interface Letters {
  readonly letter: Letter
  readonly translations: readonly Translated[]
}

/** A file beside a letter that names a language, and the letter in it or what is wrong with it. */
export interface FoundTranslation {
  readonly path: string
  /** As BCP 47 has it. */
  readonly code: string
  readonly letter?: Letter | undefined
  readonly mistakes: readonly string[]
}

/**
 * Looks at what lies beside a letter in other languages: `launch.de.md` beside `launch.md`. A product
 * in one language has none, whatever lies there.
 *
 * @param letter nothing where it has mistakes of its own. @param read a file of them.
 */
export function findTranslations(
  file: string,
  letter: Letter | undefined,
  languages: ProductLanguages,
  read: (file: string) => { letter: Letter } | { mistakes: readonly string[] },
): FoundTranslation[] {
  if (languages.length === 1) return []
  const named = namedAfter(file)
  return named.map(({ path, code }) => {
    const wrong = (mistakes: readonly string[]) => ({ path, code, mistakes })
    const misnamed = languageMistake(code, languages, file)
    if (misnamed) return wrong([misnamed])
    if (named.filter((one) => one.code === code).length > 1)
      return wrong([say('there is a second one in "{code}"', { code })])
    const found = read(path)
    if ('mistakes' in found) return wrong(found.mistakes)
    const { letter: translation } = found
    if (letter && translation.codeDays !== letter.codeDays)
      return wrong([
        say('must have {code} for as many days as in {file}, or nowhere if that has none', {
          code: CODE,
          file: basename(file),
        }),
      ])
    if (letter && senderDomain(translation.from) !== senderDomain(letter.from))
      return wrong([
        say('from: must be at the domain of the sender in {file}', {
          file: basename(file),
        }),
      ])
    return { path, code, letter: translation, mistakes: [] }
  })
}

/** Why a letter can have no translation into this language; `undefined` where it can. */
export function languageMistake(
  code: string,
  [first, ...others]: ProductLanguages,
  file: string,
): string | undefined {
  if (code === first.code)
    return say('is in the first language, as {file} is: remove one of them', {
      file: basename(file),
    })
  if (others.some((one) => one.code === code)) return undefined
  const codes = [first, ...others].map((one) => one.code).join(', ')
  return say('"{code}" is no language of product.config.ts, which has {codes}', { code, codes })
}

/**
 * The letter in other languages. @param read a file of them. @throws Refused for one that nobody
 * would get, or that is not the same letter.
 */
export function readTranslations(
  file: string,
  letter: Letter,
  languages: ProductLanguages,
  read: (file: string) => Letter,
): Translated[] {
  const found = findTranslations(file, letter, languages, (path) => ({ letter: read(path) }))
  return found.map(({ path, code, letter, mistakes }) => {
    if (!letter) throw refused({ code: 'letter-mistakes', file: path, mistakes })
    return { code, letter }
  })
}

/** The files beside a letter whose names have a language before their end. */
export function namedAfter(file: string): { readonly path: string; readonly code: string }[] {
  const end = extname(file)
  const stem = basename(file, end)
  return readdirSync(dirname(file))
    .toSorted()
    .flatMap((name) => {
      if (!name.startsWith(`${stem}.`) || extname(name) !== end || name === basename(file))
        return []
      const code = languageCode(basename(name, end).slice(stem.length + 1))
      return code ? [{ path: join(dirname(file), name), code }] : []
    })
}

/** Changes when anything a recipient would see changes; that of a letter alone is as it always was. */
export function lettersDigest({ letter, translations }: Letters): string {
  const digest = letterDigest(letter)
  if (translations.length === 0) return digest
  const others = translations
    .map(({ code, letter }) => [code, letterDigest(letter)])
    .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([digest, others]))
    .digest('base64url')
}
