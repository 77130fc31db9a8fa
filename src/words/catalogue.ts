import type { Product } from '../shared/product.ts'
import type { Words } from '../shared/sentences.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { ptBR } from './pt-br.ts'

/** The languages that come with us, by their names in BCP 47. */
export const languages: Readonly<Record<string, Words>> = {
  en,
  de,
  fr,
  es,
  'pt-BR': ptBR,
  it,
  ja,
  ar,
}

/** The words of a product for visitors and subscribers, with their language and script. */
export interface Catalogue {
  readonly words: Words
  /** As BCP 47 has it, for `lang`. */
  readonly language: string
  readonly dir: 'ltr' | 'rtl'
  /** Whether our typeface has its letters; otherwise the reader's own fonts are used. */
  readonly isInTypeface: boolean
  /** For dates and times: the language with the figures of our codes and counts, 0 to 9. */
  readonly locale: string
}

/** The words of a product's language, with the founder's own instead where there are some. */
export function catalogueOf({
  language = 'en',
  words,
}: Pick<Product, 'language' | 'words'>): Catalogue {
  const script = scriptOf(language)
  return {
    words: { ...(languages[language] ?? en), ...words },
    language,
    dir: rightToLeft.includes(script) ? 'rtl' : 'ltr',
    isInTypeface: ours.includes(script),
    locale: language === 'en' ? 'en-GB' : `${language}-u-nu-latn`,
  }
}

/** The attributes of a document's root. */
export function rootAttributes({ language, dir }: Pick<Catalogue, 'language' | 'dir'>): string {
  return `lang="${language}"${dir === 'rtl' ? ' dir="rtl"' : ''}`
}

const rightToLeft = ['Arab', 'Hebr', 'Thaa', 'Nkoo', 'Syrc', 'Adlm', 'Rohg']
/** The scripts of our typeface. */
const ours = ['Latn', 'Cyrl']

/** The alphabet of a language, such as `Latn`. @param language a name in BCP 47. */
export function scriptOf(language: string): string {
  return new Intl.Locale(language).maximize().script ?? 'Latn'
}
