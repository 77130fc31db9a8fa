import type { Source } from '../shared/source.ts'
import { answerIn, namedIn } from './known-fields.ts'
import {
  hasConsent,
  type Person,
  pageTimeOf,
  sourceOf,
  subscribedAtOf,
  whyNotMailed,
} from './person.ts'
import type { Standing } from './standing.ts'

/**
 * Where a person is found: under a tag, in an order. It is the only index of the list, and names no
 * address.
 */
export interface Place {
  readonly tag: string
  /** ISO texts sort as their times do. */
  readonly at: string
}

/** Those who signed up at the page, and those who came by a file alone; not on the list at all. */
export const standingTags = (standing: Standing) =>
  [`is:${standing}`, `imported:${standing}`, `not:${standing}`] as const

/** The tag of a source; all of one name begin alike. */
export const sourceTag = ({ source = null, medium = null, campaign = null }: SourceNames) =>
  `from:${JSON.stringify([source, medium, campaign])}`

type SourceNames = { readonly [name in keyof Source]?: Source[name] | null }

/** No day of the page has what a file says of a source. */
const sourceTime = (one: Person) => (one.signedUp?.source && pageTimeOf(one)) ?? new Date(0)

/** Those whose fields name somebody. */
export const namingTag = (addressId: string) => `names:${addressId}`

/** Those who replied to the question. */
export const REPLIED = 'replied'

/** Where a person is found, and what they count for, by name. */
export interface Marks {
  /** One for most, at most four. */
  readonly places: readonly Place[]
  readonly counters: readonly string[]
}

export function marksOf(one: Person): Marks {
  const at = subscribedAtOf(one)
  const why = whyNotMailed(one)
  const standing = why?.standing ?? 'subscribed'
  const first = pageTimeOf(one)
  const [is, imported, not] = standingTags(standing)
  const time = at ?? why?.at ?? new Date(0)
  const named = namedIn(one.fields).map((addressId) => place(namingTag(addressId), time))
  if (!at) return { places: [place(not, time), ...named], counters: [] }
  const source = sourceOf(one)
  const isHeld = standing === 'quarantined'
  return {
    places: [
      // When somebody was quarantined says more than when they came.
      place(first ? is : imported, (isHeld ? why?.at : first) ?? at),
      ...(source ? [place(sourceTag(source), sourceTime(one))] : []),
      ...named,
      ...(answerIn(one.fields) === undefined ? [] : [place(REPLIED, time)]),
    ],
    counters: [
      is,
      ...(hasConsent(one) ? [CONFIRMED] : []),
      ...(isHeld ? [] : [first ? quarterName(first) : IMPORTED]),
    ],
  }
}

const place = (tag: string, at: Date): Place => ({ tag, at: at.toISOString() })

/** Sign-ups are counted by the quarter of an hour: every time zone's day begins with one. */
export const QUARTER_MS = 900_000

export const CONFIRMED = 'confirmed'
export const IMPORTED = 'imported'

/** A sign-up at the page counts for the quarter of an hour of its time; the names sort as the times do. */
export const quarterName = (at: Date) =>
  `quarter:${String(Math.floor(at.getTime() / QUARTER_MS)).padStart(10, '0')}`
