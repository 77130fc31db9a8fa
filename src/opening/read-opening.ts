import { OPEN_URL_RULE, parseOpenUrl } from '../shared/open-url.ts'
import type { Product } from '../shared/product.ts'
import { ownZone as machineZone } from '../shared/time-zone.ts'
import { readMoment, spokenInBoth } from '../shared/zoned-time.ts'
import { isOpen, type Opening } from '../store/opening.ts'

/** An opening as the operator typed it. */
export interface WantedOpening {
  /** Where the button leads. */
  readonly url: string
  /** The local time of the opening; now, if not given. */
  readonly at?: string | undefined
  /** The time zone of `at`. */
  readonly zone?: string | undefined
  /** The operator's own zone, for an opening now; the machine's, if not given. */
  readonly ownZone?: string | undefined
  /** Where visitors find the page, if that is known. */
  readonly publicUrl?: string | null | undefined
}

/**
 * The opening, or the mistake and the part that has it. `over`: the time has passed; `open`: the
 * page is open already, and would have to be closed until then.
 */
export type ReadOpening =
  | { readonly opening: Opening }
  | { readonly wrong: 'url' | 'at' | 'zone' | 'over' | 'open'; readonly mistake: string }

/** @param before what is set. */
export function readOpening(
  before: Opening | undefined,
  { url: given, at, zone, ownZone = machineZone(), publicUrl }: WantedOpening,
  now: Date,
): ReadOpening {
  const url = parseOpenUrl(given)
  if (!url) return { wrong: 'url', mistake: `The button must lead to ${OPEN_URL_RULE}` }
  if (publicUrl && url === `${publicUrl}/`)
    return { wrong: 'url', mistake: `${url} is this page itself: name where the product is.` }
  const isItOpen = before !== undefined && isOpen(before, now)
  if (at === undefined) {
    const since = (isItOpen && before.openedAt) || now
    return { opening: { url, at: since, zone: isItOpen ? before.zone : ownZone, openedAt: since } }
  }
  const read = readMoment(at, zone)
  if ('mistake' in read) return read
  if (read.at <= now)
    return {
      wrong: 'over',
      mistake: `${spokenInBoth(read.at, read.zone)}${read.zone === 'UTC' ? '' : ','} is in the past.`,
    }
  if (isItOpen) return { wrong: 'open', mistake: 'The page is open.' }
  return { opening: { url, ...read, openedAt: undefined } }
}

/** What the countdown on the page says, where the product has one. */
export function countdownOf({ opensAt }: Pick<Product, 'opensAt'>) {
  const promised = opensAt && readMoment(opensAt.at, opensAt.zone)
  return promised && 'at' in promised ? promised : undefined
}

/** What happens once an opening is set, in sentences. */
export function openingSentences(
  opening: Opening,
  now: Date,
  product: Pick<Product, 'opensAt'>,
): string[] {
  const { url, at, zone } = opening
  if (isOpen(opening, now))
    return [
      `The page is open, and its button leads to ${url}`,
      'Every running server shows that within a second, and pages in open tabs within ten.',
    ]
  const differing = countdownBeside(opening, product)
  return [
    `The page opens ${spokenInBoth(at, zone)}; its button will lead to ${url}`,
    ...(differing ? [differing] : []),
  ]
}

/** What the countdown says, if its time is another than the set one. */
export function countdownBeside(
  { at }: Pick<Opening, 'at'>,
  product: Pick<Product, 'opensAt'>,
): string | undefined {
  const promised = countdownOf(product)
  if (!promised || Number(promised.at) === Number(at)) return undefined
  return `The countdown on the page says ${spokenInBoth(promised.at, promised.zone)}: that is opensAt in product.config.ts.`
}

/** Of pages in the browsers of visitors, where an open page is closed. */
export const STAYS_IN_TABS =
  'Pages that are in a tab now still say “Open now” until they are loaded again.'

export const OPENS_NO_MORE = 'The page will not open by itself any more.'

/** What taking the opening back did. */
export function undoSentence(before: Opening, now: Date): string {
  return isOpen(before, now) ? `The page says Coming Soon again. ${STAYS_IN_TABS}` : OPENS_NO_MORE
}

/** What is set, for programs. */
export function openingAsJson(opening: Opening | undefined, now: Date) {
  if (!opening) return { page: 'coming-soon' }
  const { url, at, zone, openedAt } = opening
  return { page: isOpen(opening, now) ? 'open' : 'coming-soon', url, at, zone, openedAt }
}

/** Which page is up, and since or until when. */
export function openingInWords(
  opening: Opening | undefined,
  now: Date,
  product: Pick<Product, 'opensAt'>,
): string {
  const promised = countdownOf(product)
  if (!opening && promised)
    return `coming soon, with a countdown to ${spokenInBoth(promised.at, promised.zone)}; no opening is set`
  if (!opening) return 'coming soon'
  const { url, at, zone, openedAt } = opening
  if (isOpen(opening, now))
    return `open since ${spokenInBoth(openedAt ?? at, zone)}: leads to ${url}`
  return `coming soon, opens ${spokenInBoth(at, zone)}: will lead to ${url}`
}
