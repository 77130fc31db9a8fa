import type { Product } from '../../src/shared/product.ts'
import {
  answerPageSentences,
  confirmPageSentences,
  plainPageSentences,
  type Words,
} from '../../src/shared/sentences.ts'
import { fill } from '../../src/shared/slots.ts'
import { readMoment } from '../../src/shared/zoned-time.ts'
import { openingDate } from '../../src/web/opening-date.ts'
import { providers } from '../../src/web/suggest-domain.ts'
import { catalogueOf } from '../../src/words/catalogue.ts'
import {
  type CountdownWords,
  type PageLanguage,
  pageWordsOf,
  shareWordsOf,
} from '../../src/words/page-words.ts'
import { missingLetters, splitIntoRuns, type Typeface } from './typeface.ts'

/** What nearly all addresses are made of, and the example in the field. */
export function typedWords({ emailPlaceholder }: Product): string {
  return `abcdefghijklmnopqrstuvwxyz0123456789@.-_+${emailPlaceholder}`
}

interface Shown {
  readonly confirm?: boolean
  /** Whether the page is to be passed on. */
  readonly share?: boolean
  /** Whether who confirmed gets a personal link. */
  readonly referrals?: boolean
  /** Where a question is asked, if anywhere. */
  readonly asked?: 'page' | 'confirmed' | ''
  /** Whether a countdown is among the texts; if not said, it is. */
  readonly hasCountdown?: boolean
  /** The same of texts that are never set bolder than regular. */
  readonly hasRegular?: boolean
  /** The same of what can be chosen after a sign-up, and the links. */
  readonly hasFurther?: boolean
  /** The same of the question. */
  readonly hasAsked?: boolean
}

/** Every text that the first page shows in its typeface, in whatever state. */
export function firstPageWords(
  language: PageLanguage,
  {
    hasCountdown = true,
    hasRegular = true,
    hasFurther = true,
    hasAsked = true,
    ...page
  }: Shown = {},
): string[] {
  const { regular, bold, asked, further } = firstPageTexts(language, page)
  return [
    ...bold,
    ...(hasAsked ? asked : []),
    ...(hasFurther ? further : []),
    ...(hasRegular ? regular : []),
    ...(hasCountdown ? countdownTexts(language) : []),
  ]
}

/** Those of them that are never set bolder than regular. */
export const regularWords = (language: PageLanguage, page: Shown = {}) =>
  firstPageTexts(language, page).regular

/** What can be chosen after a sign-up, and the links; without `hasAsked`, the question too. */
export function furtherWords(language: PageLanguage, { hasAsked, ...page }: Shown = {}) {
  const { asked, further } = firstPageTexts(language, page)
  return hasAsked ? further : [...asked, ...further]
}

function firstPageTexts(language: PageLanguage, { asked, ...page }: Shown) {
  // A title is drawn by the browser's frame, and what only screen readers and robots read by nothing.
  // On our server too, so that both modes show the very same page.
  const words = pageWordsOf(language, { ...page, isAsking: asked === 'page', isStatic: true })
  const {
    logo,
    picture: _picture,
    placeholder,
    openTitle,
    label,
    comment,
    language: _code,
    ...rest
  } = words
  const { links = {}, languages: _links, countdown: _, outcomes, ...drawn } = rest
  const { pitch, didYouMean, openInvitation, needsScript, letterSent, share, question, ...bold } =
    drawn
  const { subscribed, ...failures } = outcomes
  const { ask, button, ...choices } = question ?? {}
  const regular = { pitch, didYouMean, openInvitation, needsScript, letterSent, failures }
  const ways = page.share ? ['WhatsApp', 'Telegram'] : []
  return {
    bold: [...stringsIn(bold), ...stringsIn([subscribed, button])],
    asked: stringsIn(ask),
    further: [...ways, ...stringsIn([share, choices])],
    regular: [...stringsIn(regular), ...Object.keys(links), `${providers.join()}?`],
  }
}

/** What a countdown shows. @param hasDates whether the line that says when it opens is among it. */
export function countdownTexts(language: PageLanguage, hasDates = true): string[] {
  const { opensAt } = language.product
  const { countdown } = pageWordsOf(language, {})
  if (!opensAt || !countdown) return []
  const dates = hasDates ? datesOf(opensAt, countdown) : []
  return ['0123456789', countdown.soon, ...countdown.units, ...dates]
}

/** The same of all pages, those behind a confirmation letter only with `confirm`. */
export function wordsOf(language: PageLanguage, page: Shown = {}): string[] {
  const { words } = catalogueOf(language.product)
  const others = {
    ...plainPageSentences,
    ...(page.confirm && confirmPageSentences),
    ...(page.asked && answerPageSentences),
  }
  const said = Object.keys(others).map((name) => words[name as keyof Words])
  const own = page.referrals ? [...shareWordsOf(words), words.personalLink] : []
  const question = page.asked ? language.product.question : undefined
  return [...firstPageWords(language, page), ...stringsIn([said, own, question])]
}

/** When it opens, as it is written wherever a visitor may be. */
function datesOf(
  { at, zone }: NonNullable<Product['opensAt']>,
  { opens, locale }: CountdownWords,
): string[] {
  const moment = readMoment(at, zone)
  if (!('at' in moment)) return []
  // A machine may be in UTC, which is no place and not listed.
  const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC', zone]
  // Browsers differ in their sign for a zone west of Greenwich.
  const dates = zones.map((one) => openingDate(moment.at.toISOString(), locale, one))
  return [...stringsIn([opens]), ...dates, '-−']
}

/** Texts without their slots. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [fill(value, {}, '')]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/**
 * What of a text can be drawn here, where no font but the typeface is: without its symbols a
 * sentence is still itself, without some of its letters it is not.
 *
 * @returns nothing where letters are missing.
 */
export function drawable(typeface: Typeface, text: string): string {
  if (missingLetters(typeface, text).some((one) => /[\p{L}\p{N}]/u.test(one))) return ''
  const runs = splitIntoRuns(typeface, text).filter(({ alphabet }) => alphabet)
  return runs
    .map((run) => run.text)
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}

/** One sentence for each text that holds letters of no font of ours. */
export function missingLetterNotes(typeface: Typeface, product: Product): string[] {
  const preview =
    'language: our typeface has none of its letters, so the link preview is without words; socialImage can be a picture of your own'
  if (!catalogueOf(product).isInTypeface) return product.socialImage ? [] : [preview]
  return (['name', 'pitch'] as const).flatMap((field) => {
    const missing = missingLetters(typeface, product[field])
    if (missing.length === 0) return []
    const some = missing.slice(0, 8).join(' ') + (missing.length > 8 ? ' …' : '')
    const lost = drawable(typeface, product[field]) === '' ? `the ${field}` : 'them'
    const less = product.socialImage ? '' : `, and the link preview goes without ${lost}`
    return [`${field}: our typeface has no ${some}: visitors see their own font there${less}`]
  })
}
