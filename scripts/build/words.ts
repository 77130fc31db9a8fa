import type { Product } from '../../src/shared/product.ts'
import { fill } from '../../src/shared/sentence-slots.ts'
import {
  answerPageSentences,
  confirmPageSentences,
  plainPageSentences,
  type Words,
} from '../../src/shared/sentences.ts'
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
const typedWords = ({ emailPlaceholder }: Product) =>
  `abcdefghijklmnopqrstuvwxyz0123456789@.-_+${emailPlaceholder}`

interface Shown {
  readonly confirm?: boolean
  /** Whether the page is to be passed on. */
  readonly share?: boolean
  /** The names of the sentences with the link that who confirmed passes on, if there is one. */
  readonly passedOn?: readonly string[] | undefined
  /** Where a question is asked, if anywhere. */
  readonly asked?: 'page' | 'confirmed' | ''
}

/** Every text that the first page shows in its typeface, in whatever state, by what it is. */
export type PageTexts = ReturnType<typeof firstPageTexts>

export function firstPageTexts(language: PageLanguage, { asked, ...page }: Shown = {}) {
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
  const { links = {}, languages: _links, countdown, outcomes, ...drawn } = rest
  const {
    pitch,
    didYouMean,
    openOffer,
    needsScript,
    letterSent,
    share,
    ask: asking,
    ...bold
  } = drawn
  const { subscribed, ...failures } = outcomes
  const { ask, button, ...choices } = asking ?? {}
  const regular = { pitch, didYouMean, openOffer, needsScript, letterSent, failures }
  const ways = page.share ? ['WhatsApp', 'Telegram'] : []
  const { opensAt } = language.product
  return {
    bold: [...stringsIn(bold), subscribed],
    /** What sends an answer. */
    answer: stringsIn(button),
    /** The question. */
    asked: stringsIn(ask),
    /** What can be chosen after a sign-up, and the links. */
    further: [...ways, ...stringsIn([share, choices])],
    /** What is never set bolder than regular; so are all that follow. */
    regular: [...stringsIn(regular), ...Object.keys(links), `${providers.join()}?`],
    typed: [typedWords(language.product)],
    countdown: countdown ? ['0123456789', countdown.soon, ...countdown.units] : [],
    /** The line that says when it opens. */
    dates: opensAt && countdown ? datesOf(opensAt, countdown) : [],
  }
}

/** What the further pages say, those behind a confirmation letter only with `confirm`. */
export function furtherPageTexts({ product }: PageLanguage, page: Shown = {}): string[] {
  const { words } = catalogueOf(product)
  const others = {
    ...plainPageSentences,
    ...(page.confirm && confirmPageSentences),
    ...(page.asked && answerPageSentences),
  }
  const said = Object.keys(others).map((name) => words[name as keyof Words])
  const passedOn = page.passedOn?.map((name) => words[name as keyof Words])
  const links = passedOn && [...shareWordsOf(words), ...passedOn]
  return stringsIn([said, links, page.asked ? product.question : undefined])
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
