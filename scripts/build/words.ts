import type { Product } from '../../src/shared/product.ts'
import { readMoment } from '../../src/shared/zoned-time.ts'
import { confirmMessages, letterMessage } from '../../src/web/confirm-messages.ts'
import * as messages from '../../src/web/messages.ts'
import { openingDate } from '../../src/web/opening-date.ts'
import { providers } from '../../src/web/suggest-domain.ts'
import { missingLetters, splitIntoRuns, type Typeface } from './typeface.ts'

/** Every text that the first page shows in its typeface, in whatever state. */
export function firstPageWords(
  { name, pitch, links = {}, opensAt }: Product,
  confirm = false,
): string[] {
  const { messages: ours, openMessages, outcomeMessages } = messages
  const said = stringsIn([ours, openMessages, outcomeMessages, `${providers.join()}?`])
  if (opensAt) said.push(...stringsIn(messages.countdownMessages), ...datesOf(opensAt))
  const texts = [name, pitch, ...Object.keys(links), ...said]
  return confirm ? [...texts, letterMessage] : texts
}

/** The same of all pages. */
export function wordsOf(product: Product, confirm = false): string[] {
  const pages = confirm ? stringsIn(confirmMessages) : []
  return [...firstPageWords(product, confirm), ...stringsIn(messages), ...pages]
}

/** When it opens, as it is written wherever a visitor may be, and the figures that count down to it. */
function datesOf({ at, zone }: NonNullable<Product['opensAt']>): string[] {
  const moment = readMoment(at, zone)
  if (!('at' in moment)) return []
  // A machine may be in UTC, which is no place and not listed.
  const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC', zone]
  // Browsers differ in their sign for a zone west of Greenwich.
  return [...zones.map((one) => openingDate(moment.at.toISOString(), one)), '0123456789-−']
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
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
  return (['name', 'pitch'] as const).flatMap((field) => {
    const missing = missingLetters(typeface, product[field])
    if (missing.length === 0) return []
    const some = missing.slice(0, 8).join(' ') + (missing.length > 8 ? ' …' : '')
    const lost = drawable(typeface, product[field]) === '' ? `the ${field}` : 'them'
    return [
      `product.config.ts: ${field}: our typeface has no ${some}: visitors see their own font there, and the link preview goes without ${lost}`,
    ]
  })
}
