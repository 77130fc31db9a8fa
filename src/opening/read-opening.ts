import { OPEN_URL_RULE, parseOpenUrl } from '../shared/open-url.ts'
import type { Product } from '../shared/product.ts'
import { say } from '../shared/say.ts'
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
  if (!url)
    return {
      wrong: 'url',
      mistake: say('The button must lead to {rule}', { rule: say(OPEN_URL_RULE) }),
    }
  if (publicUrl && url === `${publicUrl}/`)
    return {
      wrong: 'url',
      mistake: say('{url} is this page itself: name where the product is.', { url }),
    }
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
      mistake: say('{at} is in the past.', {
        at: spokenInBoth(read.at, read.zone) + (read.zone === 'UTC' ? '' : ','),
      }),
    }
  if (isItOpen) return { wrong: 'open', mistake: say('The page is open.') }
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
      say('The page is open, and its button leads to {url}', { url }),
      say('Every running server shows that within a second, and pages in open tabs within ten.'),
    ]
  const differing = countdownBeside(opening, product)
  return [
    say('The page opens {at}; its button will lead to {url}', { at: spokenInBoth(at, zone), url }),
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
  return say('The countdown on the page says {at}: that is opensAt in product.config.ts.', {
    at: spokenInBoth(promised.at, promised.zone),
  })
}

/** Of pages in the browsers of visitors, where an open page is closed. */
export const STAYS_IN_TABS =
  'Pages that are in a tab now still say “Open now” until they are loaded again.'

export const OPENS_NO_MORE = 'The page will not open by itself any more.'

/** What taking the opening back did. */
export function undoSentence(before: Opening, now: Date): string {
  return isOpen(before, now)
    ? `${say('The page says Coming Soon again.')} ${say(STAYS_IN_TABS)}`
    : say(OPENS_NO_MORE)
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
    return say('coming soon, with a countdown to {at}; no opening is set', {
      at: spokenInBoth(promised.at, promised.zone),
    })
  if (!opening) return say('coming soon')
  const { url, at, zone, openedAt } = opening
  if (isOpen(opening, now))
    return say('open since {openedAt}: leads to {url}', {
      openedAt: spokenInBoth(openedAt ?? at, zone),
      url,
    })
  return say('coming soon, opens {at}: will lead to {url}', { at: spokenInBoth(at, zone), url })
}
