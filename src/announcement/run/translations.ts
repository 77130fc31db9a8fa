import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { type Letter, letterDigest, senderDomain } from '../../mail/letter/letter.ts'
import type { Translated } from '../../mail/letter/message.ts'
import { languageCode } from '../../shared/language-code.ts'
import type { ProductLanguages } from '../../shared/product.ts'
import { refused } from '../refusal.ts'

/** A letter and the same letter in other languages: one announcement. */
export interface Letters {
  readonly letter: Letter
  readonly translations: readonly Translated[]
}

/**
 * Reads what lies beside a letter in other languages: `launch.de.md` beside `launch.md`. A product in
 * one language has none, whatever lies there.
 *
 * @param read a file. @throws Refused for one that nobody would get, or that is not the same letter.
 */
export function readTranslations(
  file: string,
  letter: Letter,
  languages: ProductLanguages,
  read: (file: string) => Letter,
): Translated[] {
  const [first, ...others] = languages
  if (others.length === 0) return []
  const named = namedAfter(file)
  return named.map(({ path, code }) => {
    const refuse = (mistake: string) =>
      refused({ code: 'letter-mistakes', file: path, mistakes: [mistake] })
    if (code === first.code)
      throw refuse(`is in the first language, in which ${basename(file)} is: leave one of them`)
    if (!others.some((one) => one.code === code))
      throw refuse(
        `"${code}" is no language of product.config.ts, which has ${languages.map((one) => one.code).join(', ')}`,
      )
    if (named.filter((one) => one.code === code).length > 1)
      throw refuse(`there is a second one in "${code}"`)
    const translation = read(path)
    if (translation.invitationDays !== letter.invitationDays)
      throw refuse(`its invitation is not as in ${basename(file)}: both or none, for as long`)
    if (senderDomain(translation.from) !== senderDomain(letter.from))
      throw refuse(`from: must be of the domain of ${basename(file)}`)
    return { code, letter: translation }
  })
}

/** The files beside a letter whose names have a language before their end. */
function namedAfter(file: string): { readonly path: string; readonly code: string }[] {
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
