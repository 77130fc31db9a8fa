import type { Translated } from '../mail/letter/message.ts'
import { languageAmong } from '../shared/language-code.ts'
import type { ProductLanguages } from '../shared/product.ts'
import type { Reader } from './outlook.ts'

/** How many get a letter in one of its languages. */
export interface ReaderCount {
  readonly file: string
  readonly people: number
  /** How many of them get it since their language has no letter, or is not known. */
  readonly fallingBack: number
}

/** Counts who gets an announcement in which language. @param name of the letter's file. */
export function whoGetsWhich({
  name,
  translations,
  languages,
}: {
  readonly name: string
  readonly translations: readonly Pick<Translated, 'code'>[]
  readonly languages: ProductLanguages
}) {
  const [first] = languages
  const codes = languages.map(({ code }) => code)
  const counts = new Map([first, ...translations].map(({ code }) => [code, 0]))
  let fallingBack = 0

  return {
    add({ language }: Pick<Reader, 'language'>) {
      const theirs = languageAmong(codes, language)
      const got = theirs !== undefined && counts.has(theirs) ? theirs : first.code
      counts.set(got, (counts.get(got) ?? 0) + 1)
      if (got !== theirs) fallingBack += 1
    },

    /** The first letter's, then each translation's; none where the product is in one language. */
    counts(): ReaderCount[] {
      if (translations.length === 0 && languages.length === 1) return []
      return [...counts].map(([code, people]) =>
        code === first.code
          ? { file: `${name}.md`, people, fallingBack }
          : { file: `${name}.${code}.md`, people, fallingBack: 0 },
      )
    },
  }
}
