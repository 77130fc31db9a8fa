import { askOf, type ProductLanguage } from '../../shared/product.ts'
import type { Words } from '../../shared/sentences.ts'
import { site } from '../../site/site.ts'
import { enhanceSource } from './enhance.ts'
import { joinScript } from './join-script.ts'

interface BuiltPage {
  readonly language: ProductLanguage & { readonly words: Words }
  readonly confirm: boolean
  /** Whether a question is asked after a sign-up. */
  readonly isAsked: boolean
}

/** The script for the forms of a language on other sites: its file, and its source. */
export function joinScriptOf({ language, confirm, isAsked }: BuiltPage) {
  const { path, words, product } = language
  // With a confirmation, only the confirmed page asks.
  const ask = isAsked && !confirm ? askOf(product)?.ask : undefined
  return [site.joinScript(path), joinScript(enhanceSource, words, { path, confirm, ask })] as const
}
