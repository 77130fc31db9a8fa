import type { Product } from '../shared/product.ts'
import type { Words } from '../shared/sentences.ts'
import { catalogueOf } from '../words/catalogue.ts'

/** A language that the page and the letters can be had in. */
export interface OfferedLanguage {
  /** As BCP 47 has it, such as `de`. */
  readonly code: string
  /** What stands before its paths, such as `/de`; empty where the product has one language. */
  readonly path: string
  /** The product as it is in this language alone. */
  readonly product: Product
  readonly words: Words
}

/** The languages of a product without mistakes. The first is the one it falls back to. */
export function languagesOf(product: Product): readonly [OfferedLanguage, ...OfferedLanguage[]] {
  const { languages = {}, ...first } = product
  const { words: _, ...common } = first
  const others = Object.entries(languages)
  const offer = (own: Product): OfferedLanguage => {
    const { words, language: code } = catalogueOf(own)
    return { code, path: others.length > 0 ? `/${code}` : '', product: own, words }
  }
  return [
    offer(first),
    ...others.map(([language, translation]) => offer({ ...common, ...translation, language })),
  ]
}

/** @param code from outside. @returns nothing where it is not offered. */
export function offeredLanguage(
  languages: readonly OfferedLanguage[],
  code: string | undefined,
): OfferedLanguage | undefined {
  return languages.find((one) => one.code === code)
}
