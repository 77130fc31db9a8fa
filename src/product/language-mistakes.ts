import { productSettings } from '../features/all-rules.ts'
import { findProductMistakes } from '../shared/product.ts'
import { scriptOf } from '../words/catalogue.ts'
import { findWordMistakes } from '../words/mistakes.ts'

/** What a translation says; all else of a product is the same in each of its languages. */
const needed = ['pitch', 'description']
const translated = Object.entries(productSettings).flatMap(([field, { findTranslatedMistakes }]) =>
  findTranslatedMistakes ? [{ field, find: findTranslatedMistakes }] : [],
)
const usual = ['emailPlaceholder', 'links', 'postalAddress', 'socialImage', 'words']
const optional = ['name', ...[...usual, ...translated.map(({ field }) => field)].toSorted()]

type Fields = Readonly<Record<string, unknown>>

/**
 * Checks the setting `languages` of a product, which came from outside the type system.
 *
 * @returns one sentence a mistake, with what would be right.
 */
export function findLanguagesMistakes(product: Fields): string[] {
  const { language = 'en', languages } = product
  if (languages === undefined) return []
  if (!isPlain(languages))
    return ["languages: must be like { de: { pitch: '…', description: '…' } }"]
  return Object.entries(languages).flatMap(([code, translation]) => {
    const mistake = (text: string) => `languages: ${code}: ${text}`
    if (code === language) return mistake('is the first language already, so leave it out here')
    if (!isPlain(translation)) return mistake("must be like { pitch: '…', description: '…' }")
    const wrong = findCodeMistakes(code, translation)
    return (wrong.length > 0 ? wrong : findTranslationMistakes(product, code, translation)).map(
      mistake,
    )
  })
}

/** Without a language, nothing can be said of what stands in it. */
function findCodeMistakes(code: string, { words }: Fields): string[] {
  const all = findWordMistakes({ language: code, words })
  const wrong = all.flatMap((text) =>
    text.startsWith(LANGUAGE) ? text.slice(LANGUAGE.length) : [],
  )
  // It is a path of the page too, and none of the others is as short.
  if (wrong.length > 0 || /^[a-z]{2,3}(-|$)/.test(code)) return wrong
  return ['must begin with two or three letters, such as nl']
}

const LANGUAGE = 'language: '

function findTranslationMistakes(product: Fields, code: string, translation: Fields): string[] {
  const { name, language = 'en', links } = product
  const all = [...needed, ...optional]
  const unknown = Object.keys(translation).filter((field) => !all.includes(field))
  const said = all.filter((field) => needed.includes(field) || Object.hasOwn(translation, field))
  // By the rules of the first language.
  const own = { ...product, pitch: undefined, description: undefined, ...translation }
  const mistakes = [
    ...unknown.map((field) => `${field}: is not translated; ${all.join(', ')} are`),
    ...findProductMistakes(own, productSettings).filter((text) =>
      said.some((field) => text.startsWith(`${field}:`)),
    ),
    ...findWordMistakes({ language: code, words: translation.words }),
  ]
  if (!said.includes('name') && isForeign(String(name), String(language), code))
    mistakes.push(`name: is missing, and "${name}" is in another alphabet`)
  for (const { field, find } of translated)
    if (product[field] !== undefined || translation[field] !== undefined)
      mistakes.push(...find(product[field], translation[field]).map((text) => `${field}: ${text}`))
  const [some, here] = [links, translation.links].map((one) => Object.keys(Object(one)).length)
  if (some !== here) mistakes.push(`links: has ${here}, the first language has ${some}`)
  return mistakes
}

/** Latin letters are read everywhere, others where a language is written in them. */
function isForeign(name: string, language: string, code: string): boolean {
  if (/\p{Script=Latin}/u.test(name) || !/\p{L}/u.test(name)) return false
  return canonicalScript(language) !== scriptOf(code)
}

function canonicalScript(language: string): string | undefined {
  try {
    return scriptOf(language)
  } catch {
    // Said of the first language already.
    return undefined
  }
}

const isPlain = (value: unknown): value is Fields =>
  Object.prototype.toString.call(value) === '[object Object]'
