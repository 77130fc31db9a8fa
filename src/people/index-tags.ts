import type { AddressIds } from '../keys/address-id.ts'
import { mailboxOf } from '../shared/address-folding.ts'
import type { Brake } from '../shared/held-letters.ts'
import type { Source } from '../shared/source.ts'
import { lastAsked } from './confirmation-lifetime.ts'
import { isWaitingWithSigns } from './erase-quarantined.ts'
import { namedIn, tagsOf } from './known-fields.ts'
import { domainIdOf, letterAtOf } from './letter-counts.ts'
import { consentIn, type PendingData } from './pending.ts'
import { type Person, pageTimeOf, sourceOf, subscribedAtOf, whyNotMailed } from './person.ts'
import { hasHiddenField, type Line } from './place-in-line.ts'
import type { Request } from './request.ts'
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

/** Those on the list who signed up at the page, and those who came by a file alone. */
export const standingTags = (standing: Standing) =>
  [`is:${standing}`, `imported:${standing}`] as const

/** The tag of a source; all of one name begin alike. */
export const sourceTag = ({ source = null, medium = null, campaign = null }: SourceNames) =>
  `from:${JSON.stringify([source, medium, campaign])}`

type SourceNames = { readonly [name in keyof Source]?: Source[name] | null }

/** No day of the page has what a file says of a source. */
const sourceTime = (one: Person) => (one.signedUp?.source && pageTimeOf(one)) ?? new Date(0)

/** Those whose fields name somebody, or whose request came by their link. */
export const namingTag = (addressId: string) => `names:${addressId}`

/** Where a person is found, and what they count for, by name. */
export interface Marks {
  /** One for most, at most five; some more while a request to confirm is open. */
  readonly places: readonly Place[]
  readonly counters: readonly string[]
}

export function marksOf(one: Person, ids: AddressIds): Marks {
  const { email, request, pending } = one
  const all = [listMarks(one)]
  if (request) all.push(requestMarks(request))
  if (pending && email !== undefined) all.push(pendingMarks(pending, email, ids))
  return {
    places: all.flatMap(({ places }) => places),
    counters: all.flatMap(({ counters }) => counters),
  }
}

function listMarks(one: Person): Marks {
  const at = subscribedAtOf(one)
  const why = whyNotMailed(one)
  const standing = why?.standing ?? 'subscribed'
  const first = pageTimeOf(one)
  const [is, imported] = standingTags(standing)
  const time = at ?? why?.at ?? new Date(0)
  const named = namedIn(one.fields).map((addressId) => place(namingTag(addressId), time))
  if (!at) return { places: named, counters: [] }
  const source = sourceOf(one)
  const isHeld = standing === 'quarantined'
  return {
    places: [
      // When somebody was quarantined says more than when they came.
      place(first ? is : imported, (isHeld ? why?.at : first) ?? at),
      ...(source ? [place(sourceTag(source), sourceTime(one))] : []),
      ...named,
      ...tagsOf(one.fields).map((tag) => place(tag, time)),
    ],
    counters: [is, ...confirmedAs(one), ...(isHeld ? [] : [first ? quarterName(first) : IMPORTED])],
  }
}

/** Those whose letter is due, by their place in line. */
export const letterTag = (line: Line) => `letter:${line}`
/** How many letters have yet to leave, and how many of them are held; who these are. */
export const LETTERS = 'letters'
export const heldTag = (brake: Brake) => `held:${brake}`
/** Those whose letter has yet to leave, and those who were asked or answered lately, by when they last were. */
export const REQUESTED = 'requested'
export const ASKED = 'asked'
/** Those whose letter could not leave, or was refused. */
export const FAILED = 'failed'
/** How many were asked by a letter and have not answered, and how many of these have signs of a robot. */
export const TO_CONFIRM = 'toConfirm'
export const WITH_SIGNS = 'toConfirm-signs'

function requestMarks({ line, dueAt, askedAt, waitsFor, referredBy }: Request): Marks {
  const held = waitsFor ? [heldTag(waitsFor)] : []
  return {
    places: [
      place(letterTag(line), dueAt),
      place(REQUESTED, askedAt),
      ...held.map((tag) => place(tag, dueAt)),
      ...(referredBy === undefined ? [] : [place(namingTag(referredBy), askedAt)]),
    ],
    counters: [LETTERS, ...held],
  }
}

/** Those whose mailbox had letters. */
export const mailboxTag = (email: string, ids: AddressIds) => `mailbox:${ids.of(mailboxOf(email))}`

/** Those whose last letter counts for a limit, by its time; `of` names a network or a domain. */
export const countedTag = (
  what: 'letters' | 'network' | 'domain' | 'hidden',
  isAnswered: boolean,
  of = '',
) => `${what}-${isAnswered ? 'answered' : 'open'}:${of}`

function pendingMarks(pending: PendingData, email: string, ids: AddressIds): Marks {
  const { askedAt, lastLetterAt, confirmedAt, networks, suspicion, referredBy } = pending
  const { failure } = pending
  const isAnswered = confirmedAt !== undefined
  const isHidden = !isAnswered && hasHiddenField(suspicion)
  const letterAt = letterAtOf(pending)
  const [network, domain] = [networks?.at(-1), letterAt && domainIdOf(email, ids)]
  const counted = letterAt
    ? [
        place(countedTag('letters', isAnswered), letterAt),
        ...(network ? [place(countedTag('network', isAnswered, network), letterAt)] : []),
        ...(domain ? [place(countedTag('domain', isAnswered, domain), letterAt)] : []),
        ...(isHidden ? [place(countedTag('hidden', false), askedAt)] : []),
      ]
    : []
  return {
    places: [
      place(ASKED, lastAsked(pending)),
      ...(failure && !isAnswered ? [place(FAILED, askedAt)] : []),
      ...(lastLetterAt ? [place(mailboxTag(email, ids), lastLetterAt)] : []),
      ...counted,
      ...(referredBy === undefined ? [] : [place(namingTag(referredBy), askedAt)]),
    ],
    counters: isAnswered ? [] : [TO_CONFIRM, ...(isWaitingWithSigns(pending) ? [WITH_SIGNS] : [])],
  }
}

function confirmedAs({ fields }: Person): string[] {
  return consentIn(fields) ? [CONFIRMED] : []
}

const place = (tag: string, at: Date): Place => ({ tag, at: at.toISOString() })

/** Sign-ups are counted by the quarter of an hour: every time zone's day begins with one. */
export const QUARTER_MS = 900_000

export const CONFIRMED = 'confirmed'
export const IMPORTED = 'imported'

/** A sign-up at the page counts for the quarter of an hour of its time; the names sort as the times do. */
export const quarterName = (at: Date) =>
  `quarter:${String(Math.floor(at.getTime() / QUARTER_MS)).padStart(10, '0')}`
