import { languageCode } from '../shared/language-code.ts'
import type { Extra } from './extra.ts'
import { objectIn } from './stored-json.ts'

/**
 * The language of an address, kept among its `Extra`: that of the page on which it came to the
 * list, or of the question that its owner answered with yes.
 *
 * @returns it as BCP 47 has it; nothing where none is known.
 */
export function languageIn(extra: Extra | undefined): string | undefined {
  return languageCode(objectIn(extra?.consent)?.language) ?? languageCode(extra?.language)
}
