import type { Source } from '../shared/source.ts'
import type { Extra } from './extra-fields.ts'
import { consentIn, type Pending, type PendingData } from './pending.ts'
import type { Request } from './request.ts'
import { isLiftedBySignUp, type Standing, type StandingEntry, standings } from './standing.ts'

/**
 * All that is known of an address. How somebody stands is not kept: it follows from what was said, by
 * whom and when. So it is the same in whatever order, and however often, it was heard.
 */
export interface Person {
  /** As `parseEmail` gives it; left out of somebody who was forgotten, or is known by an id alone. */
  readonly email?: string | undefined
  /** Sign-ups at the page, without signs of a robot. */
  readonly signedUp?: SignedUp | undefined
  /** Sign-ups at the page with signs of a robot. */
  readonly suspected?: Suspected | undefined
  /** The earliest time that a file gave. */
  readonly importedAt?: Date | undefined
  /** The first source that a file gave. */
  readonly importedSource?: Source | undefined
  /** When the mailbox last answered, or the operator spoke for it: it is no dead one. */
  readonly answeredAt?: Date | undefined
  /** When the operator last released them from the quarantine. */
  readonly releasedAt?: Date | undefined
  /** The last no of each kind. */
  readonly noes: Noes
  /** That their address was left, and a letter has yet to ask them. */
  readonly request?: Request | undefined
  /** That a letter asked them, or that it could not. */
  readonly pending?: PendingData | undefined
  /** Whatever was said until then is erased, and does not come back. */
  readonly forgottenAt?: Date | undefined
  /** Those of `known-fields.ts`, and those that nobody knows. */
  readonly fields: Extra
}

export interface SignedUp {
  readonly first: Date
  /** A sign-up lifts the noes before this: of Firestore's documents, some seconds before their time. */
  readonly lifts: Date
  /** Those of the first one. */
  readonly source?: Source | undefined
  readonly fields?: Extra | undefined
  /** That of the one which brought them, where the page asks its question. */
  readonly key?: string | undefined
}

export interface Suspected {
  readonly first: Date
  /** Those of the first one, for when they are released; a robot's source is never kept. */
  readonly fields?: Extra | undefined
  readonly last: Date
  /** The noes before this are lifted, as a sign-up lifts them. */
  readonly lifts: Date
  /** The names of the last one's signs. */
  readonly signs: string
}

/** A no that is said of somebody; `forgotten` is more than that. */
export const noKinds = standings.filter((one) => one !== 'subscribed' && one !== 'forgotten')
export type NoKind = Exclude<Standing, 'subscribed' | 'forgotten'>
export type Noes = Readonly<Partial<Record<NoKind, No>>>
export interface No {
  readonly at: Date
  /** As `cleanDetail` leaves it. */
  readonly detail?: string | undefined
}

/** Somebody nothing is known of. */
export const nobody: Person = { noes: {}, fields: {} }

/** The last request to confirm. */
export const pendingOf = ({ email, pending }: Person): Pending | undefined =>
  pending && email !== undefined ? { email, ...pending } : undefined

/** Whether nothing is known of them but their address. */
export function isBlank({ email: _, noes, fields, ...others }: Person): boolean {
  const known = [...Object.values(others), ...Object.values(noes), ...Object.values(fields)]
  return known.every((one) => one === undefined)
}

/** The time of their record: when they first came; nothing of somebody who is not on the list. */
export const subscribedAtOf = ({ signedUp, suspected, importedAt }: Person): Date | undefined =>
  earliest(earliest(signedUp?.first, suspected?.first), importedAt)

/** When they first signed up at the page, as far as it counts; nothing of those who came by a file alone. */
export const pageTimeOf = ({ signedUp, suspected }: Person): Date | undefined =>
  earliest(signedUp?.first, suspected?.first)

const earliest = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one && other && other < one ? other : (one ?? other)

export const sourceOf = ({ signedUp, importedSource }: Person): Source | undefined =>
  signedUp?.source ?? importedSource

/** What else is known of them. What they said where they signed up counts before a file. */
export function extraOf(one: Person): Extra | undefined {
  const { signedUp, suspected, fields, releasedAt, importedAt } = one
  // What looked like a robot's is believed once the operator does.
  const isBelieved = releasedAt !== undefined && importedAt === undefined
  const said = isBelieved ? { ...suspected?.fields, ...fields } : fields
  const all = signedUp?.fields ? { ...said, ...signedUp.fields } : said
  return Object.keys(all).length > 0 ? all : undefined
}

/** Whether they were forgotten, and have not come back. */
export const isErased = (one: Person): boolean => one.forgottenAt !== undefined && !isOnList(one)

/** Whether they confirmed by the letter that asks. */
export const hasConsent = ({ fields }: Person): boolean => consentIn(fields) !== undefined

export const isOnList = (one: Person): boolean => subscribedAtOf(one) !== undefined

/** Why somebody is not mailed; nothing of a subscriber, and of somebody nothing is known of. */
export function whyNotMailed(one: Person): StandingEntry | undefined {
  if (one.forgottenAt && isErased(one)) return { standing: 'forgotten', at: one.forgottenAt }
  const noes = standingNoes(one)
  const held = heldBySigns(one, noes)
  if (!held) return noes.at(-1)
  // What the robot's sign-up would have lifted is over.
  const graver = noes.findLast(
    ({ standing, at }) =>
      at >= (one.suspected?.lifts ?? held.at) && isGraver(standing, 'quarantined'),
  )
  return graver ?? held
}

/** Whether the sign-up with this key brought them: nobody answers for somebody who was there. */
export const isOfSignUp = (one: Person, key: string): boolean =>
  one.signedUp?.key === key && standingOf(one) !== 'quarantined'

export const standingOf = (one: Person): Standing => whyNotMailed(one)?.standing ?? 'subscribed'

/** The noes that nothing lifted, the gravest last. */
function standingNoes(one: Person): StandingEntry[] {
  const found: StandingEntry[] = []
  for (const standing of noKinds) {
    const no = one.noes[standing]
    if (no && !isLifted(one, standing, no.at)) found.push({ standing, ...no })
  }
  return found
}

/** At equal times the no stays. */
function isLifted(
  { signedUp, answeredAt, releasedAt }: Person,
  standing: Standing,
  at: Date,
): boolean {
  const isAfter = (yes: Date | undefined) => yes !== undefined && yes > at
  if (standing === 'bounced') return isAfter(answeredAt)
  return isLiftedBySignUp(standing) && (isAfter(signedUp?.lifts) || isAfter(releasedAt))
}

/**
 * The quarantine by signs of a robot. It holds only who is new, or whose no the sign-up would have
 * lifted: otherwise anybody could take others off the list.
 */
export function heldBySigns(
  one: Person,
  noes: readonly StandingEntry[] = standingNoes(one),
): StandingEntry | undefined {
  const { suspected, signedUp, importedAt, releasedAt } = one
  if (!suspected) return undefined
  const { last: at, lifts, signs: detail } = suspected
  if (isLifted(one, 'quarantined', at)) return undefined
  // What a mail server or its reader says of a mailbox weighs more than what a robot typed.
  if (noes.some(({ standing }) => !isLiftedBySignUp(standing))) return undefined
  const isKnown = [signedUp, importedAt, releasedAt].some((by) => by !== undefined)
  const isHeld = !isKnown || noes.some((no) => no.at < lifts)
  return isHeld ? { standing: 'quarantined', at, detail } : undefined
}

const isGraver = (one: Standing, other: Standing) =>
  standings.indexOf(one) > standings.indexOf(other)
