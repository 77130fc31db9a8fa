import { languagePath } from '../shared/api.ts'
import { logoOn, type Picture } from '../shared/look.ts'
import type { Outcome } from '../shared/outcome.ts'
import { groundsOf } from '../shared/palette.ts'
import { askOf, type Product } from '../shared/product.ts'
import type { Ask } from '../shared/reply.ts'
import { fill } from '../shared/sentence-slots.ts'
import { type Catalogue, catalogueOf } from './catalogue.ts'

/**
 * The words of the page, including the product's own. The page holds them as JSON, so that one
 * script serves all products and languages.
 */
export interface PageWords {
  readonly name: string
  readonly pitch: string
  readonly logo: string
  readonly placeholder: string
  readonly links?: Readonly<Record<string, string>>
  /** Its files, and what is on it. */
  readonly picture?: { readonly file: string; readonly small?: string; readonly alt: string }
  readonly heading: string
  readonly offer: string
  readonly label: string
  readonly submit: string
  readonly submitting: string
  /** With the slot `{domain}`. */
  readonly didYouMean: string
  readonly comment: string
  readonly outcomes: Readonly<Record<Outcome, string>>
  readonly openTitle: string
  readonly openHeading: string
  readonly openButton: string
  readonly openOffer: string
  /** On a static host, where signing up needs script. */
  readonly needsScript?: string
  /** With `CONFIRM=on`. */
  readonly letterSent?: string
  /** Where the page is to be passed on: that, and how by e-mail and by copying a link. */
  readonly share?: readonly string[]
  /** Where a question is asked after a sign-up. */
  readonly ask?: AskWords | undefined
  readonly countdown?: CountdownWords
  /** Of this page, where there are several, as BCP 47 has it. */
  readonly language?: string
  /** The others, by their links, which stand after the product's own. */
  readonly languages?: Readonly<Record<string, string>>
}

/** A product in one language. */
export interface PageLanguage {
  readonly product: Product
  /** What stands before its paths, such as `/de`; empty where the product has one language. */
  readonly path: string
  /** The names of the other languages, each in itself, by what BCP 47 calls them. */
  readonly others: Readonly<Record<string, string>>
}

/** What is asked, with the words of its button. */
export interface AskWords extends Ask {
  readonly button: string
}

/** For a product with a date of opening. */
export interface CountdownWords {
  /** With the slot `{time}`. */
  readonly opens: string
  readonly soon: string
  /** Of days, hours, minutes and seconds. */
  readonly units: readonly string[]
  /** For the date. */
  readonly locale: string
}

/** The logo that stands in the page; another ground's is in the style. */
export const firstLogo = (product: Product) => logoOn(product, groundsOf(product)[0].scheme)

/** What is said where the page is to be passed on, in the order of `src/web/share.tsx`. */
export const shareWordsOf = ({ passOn, byEmail, copyLink, linkCopied }: Catalogue['words']) => [
  passOn,
  byEmail,
  copyLink,
  linkCopied,
]

/** What is asked after a sign-up. @returns nothing where there is no question. */
export function askWordsOf(
  product: Product,
  { answerButton: button }: Catalogue['words'],
): AskWords | undefined {
  const ask = askOf(product)
  return ask && { ...ask, button }
}

export const altIn = ({ alt }: Picture, language: string) =>
  typeof alt === 'string' ? alt : (alt[language] ?? '')

/** Only the words that this product's page can show. */
export function pageWordsOf(
  { product, others }: Pick<PageLanguage, 'product' | 'others'>,
  {
    isStatic = false,
    confirm = false,
    share = false,
    isAsking = false,
  }: { isStatic?: boolean; confirm?: boolean; share?: boolean; isAsking?: boolean },
): PageWords {
  const { words, locale, language } = catalogueOf(product)
  const further = Object.entries(others).map(([code, name]) => ({
    code,
    name,
    link: `${languagePath(code)}/`,
  }))
  const { heading, offer, label, submit, submitting, didYouMean, comment } = words
  const { openHeading, openOffer, needsScript, letterSent, opens, soon } = words
  const { days, hours, minutes, seconds } = words
  const { name, pitch, emailPlaceholder: placeholder, links, look: { picture } = {} } = product
  return {
    name,
    pitch,
    logo: firstLogo(product),
    placeholder,
    ...(picture && { picture: { ...picture, alt: altIn(picture, language) } }),
    ...((links || further.length > 0) && {
      links: { ...links, ...Object.fromEntries(further.map(({ name, link }) => [name, link])) },
    }),
    heading,
    offer,
    label,
    submit,
    submitting,
    didYouMean,
    comment,
    outcomes: {
      subscribed: words.subscribed,
      'invalid-email': words.invalidEmail,
      'database-unavailable': words.databaseUnavailable,
      failed: words.failed,
    },
    openTitle: fill(words.openTitle, { name }),
    openHeading,
    openButton: fill(words.openButton, { name }),
    openOffer,
    ...(isStatic && { needsScript }),
    ...(confirm && { letterSent }),
    ...(share && { share: shareWordsOf(words) }),
    ...(isAsking && { ask: askWordsOf(product, words) }),
    ...(product.opensAt && {
      countdown: { opens, soon, units: [days, hours, minutes, seconds], locale },
    }),
    ...(further.length > 0 && {
      language,
      languages: Object.fromEntries(further.map(({ code, link }) => [link, code])),
    }),
  }
}
