import { languagePath } from '../shared/api.ts'
import type { Product } from '../shared/product.ts'
import type { Words } from '../shared/sentences.ts'
import { catalogueOf, nameOf } from '../words/catalogue.ts'
import type { PageLanguage } from '../words/page-words.ts'

/** A language that the page and the letters can be had in. */
export interface OfferedLanguage extends PageLanguage {
  /** As BCP 47 has it, such as `de`. */
  readonly code: string
  readonly words: Words
}

/** The languages of a product without mistakes. The first is the one it falls back to. */
export function languagesOf(product: Product): readonly [OfferedLanguage, ...OfferedLanguage[]] {
  const { languages = {}, ...first } = product
  const { words: _, ...common } = first
  const further = Object.entries(languages)
  const codes = [catalogueOf(first).language, ...further.map(([code]) => code)]
  const offer = (own: Product): OfferedLanguage => {
    const { words, language: code } = catalogueOf(own)
    const others = codes.filter((one) => one !== code).map((one) => [one, nameOf(one)])
    const path = further.length > 0 ? languagePath(code) : ''
    return { code, path, product: own, words, others: Object.fromEntries(others) }
  }
  return [
    offer(first),
    ...further.map(([language, translation]) => offer({ ...common, ...translation, language })),
  ]
}
