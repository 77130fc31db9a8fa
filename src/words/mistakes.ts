import { findTextMistakes } from '../shared/product.ts'
import { slotsIn } from '../shared/sentence-slots.ts'
import { sentences, type Words } from '../shared/sentences.ts'
import { languages } from './catalogue.ts'
import { en } from './en.ts'

type Name = keyof Words

const names = Object.keys(sentences) as Name[]

/**
 * Slots that a sentence may leave out: founders may write their name as the grammar needs it. Every
 * other slot holds what nothing else in the sentence says.
 */
const FREE = ['name', 'pitch']

/**
 * Checks the settings `language` and `words` of a product, which came from outside the type system.
 *
 * @returns one sentence a mistake, with what would be right.
 */
export function findWordMistakes({ language, words }: Readonly<Record<string, unknown>>): string[] {
  if (words !== undefined && Object.prototype.toString.call(words) !== '[object Object]')
    return ["words: must be like { heading: 'Almost there', submit: 'Tell me' }"]
  const given = (words ?? {}) as Readonly<Record<string, unknown>>
  return [
    ...findLanguageMistakes(language, given),
    ...Object.entries(given).flatMap(([name, text]) =>
      findSentenceMistakes(name, text).map((mistake) => `words: ${mistake}`),
    ),
  ]
}

function findLanguageMistakes(
  language: unknown,
  given: Readonly<Record<string, unknown>>,
): string[] {
  if (language === undefined || Object.hasOwn(languages, String(language))) return []
  const known = Object.keys(languages).join(', ')
  if (typeof language !== 'string' || canonical(language) !== language)
    return [`language: is "${language}", must be one of ${known}, or a name in BCP 47, such as nl`]
  const missing = names.filter((name) => given[name] === undefined)
  if (missing.length === 0) return []
  const some = missing.slice(0, 3).join(', ')
  return [
    `language: there is no "${language}": there are ${known}. For another language, write all words yourself: ${missing.length} ${missing.length === 1 ? 'is' : 'are'} missing, such as ${some}`,
  ]
}

/** @returns nothing for an invalid name of a language. */
function canonical(language: string): string | undefined {
  try {
    const [name] = Intl.getCanonicalLocales(language)
    // Its dates are looked up by it, and extensions are ours.
    return /-[a-z\d]-/i.test(language) ? undefined : name
  } catch {
    return undefined
  }
}

/** Checks one sentence. @param text of a founder, or of a catalogue of ours. */
export function findSentenceMistakes(name: string, text: unknown): string[] {
  if (!Object.hasOwn(sentences, name)) return [`${name}: is not one of them: docs/languages.md`]
  const limit = sentences[name as Name]
  const mistakes = findTextMistakes(name, text, limit)
  if (mistakes.length > 0 || typeof text !== 'string') return mistakes
  const [ours, theirs] = [slotsIn(en[name as Name]), slotsIn(text)]
  const missing = ours.filter((slot) => !FREE.includes(slot) && !theirs.includes(slot))
  const unknown = theirs.filter((slot) => !ours.includes(slot))
  return [
    ...missing.map((slot) => `${name}: lacks its {${slot}}`),
    ...unknown.map((slot) => `${name}: has a {${slot}}, which it cannot fill`),
    ...(/[{}]/.test(text.replace(/\{\w+\}/g, '')) ? [`${name}: has a brace that is no slot`] : []),
  ]
}
