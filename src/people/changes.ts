import type { Source } from '../shared/source.ts'
import { endsAt, lastAsked } from './confirmation-lifetime.ts'
import { isDisowned } from './erase-quarantined.ts'
import type { Extra } from './extra-fields.ts'
import { fieldsOfRequest, mergeExtra } from './known-fields.ts'
import { DOUBT_MS } from './late-entries.ts'
import { type Consent, type Pending, type PendingData, saidNotMe } from './pending.ts'
import {
  heldBySigns,
  isErased,
  isOnList,
  type No,
  type Noes,
  type NoKind,
  nobody,
  noKinds,
  type Person,
  sourceOf,
  standingOf,
  subscribedAtOf,
} from './person.ts'
import { type Request, together } from './request.ts'
import { withoutPending, withPending } from './requests.ts'
import { cleanDetail, isLiftedBySignUp } from './standing.ts'

/*
 * What can happen to a person. Each change is pure, and knows no store. What comes in late, or twice,
 * changes nothing that it would not have changed in its time.
 */

export interface SignUp {
  /** As `parseEmail` returns it. */
  readonly email: string
  readonly at: Date
  /** The noes before this are lifted: `at`, unless two clocks leave a doubt. */
  readonly lifts?: Date | undefined
  /** Names of signs of a robot. */
  readonly suspicion?: string | undefined
  readonly source?: Source | undefined
  readonly fields?: Extra | undefined
  /** Random: who has it may answer the question, if this brings them. */
  readonly key?: string | undefined
}

/** What is known of a sign-up besides its address. */
export type SignUpNotes = Omit<SignUp, 'email' | 'at' | 'lifts'>

/** Somebody signed up at the page. */
export function signUp(one: Person, said: SignUp): Person {
  const { email, at, lifts = at, suspicion, source, fields, key } = said
  if (isBarred(one, lifts)) return one
  const { signedUp, suspected } = one
  const signs = cleanDetail(suspicion)
  if (signs !== undefined) {
    const isLast =
      !suspected || isAfter({ at, detail: signs }, { at: suspected.last, detail: suspected.signs })
    return {
      ...one,
      email,
      suspected: {
        ...(suspected && at >= suspected.first
          ? suspected
          : { first: at, ...(fields && { fields }) }),
        lifts: later(suspected?.lifts, lifts),
        ...(isLast ? { last: at, signs } : { last: suspected.last, signs: suspected.signs }),
      },
    }
  }
  const isFirst = !signedUp || at < signedUp.first
  // Somebody who was released is known already.
  const isNew = !one.releasedAt || at < one.releasedAt
  const isBringing = !isOnList(one) || standingOf(one) === 'quarantined'
  const first = isFirst
    ? {
        first: at,
        ...(isNew && source && { source }),
        ...(isNew && fields && { fields }),
        ...(isBringing && key && { key }),
      }
    : signedUp
  return { ...one, email, signedUp: { ...first, lifts: later(signedUp?.lifts, lifts) } }
}

/** A file says that somebody is on the list. It lifts no no, and brings nobody back who was forgotten. */
export function imported(one: Person, email: string, at: Date): Person {
  if (isErased(one)) return one
  const held = heldBySigns(one)
  const isSaidSince = ({ at }: No) => Number(one.noes.quarantined?.at ?? 0) >= Number(at)
  return {
    ...one,
    email,
    importedAt: earlier(one.importedAt, at),
    // A quarantine that a robot's sign-up began stays, though they are known by now.
    ...(held && !isSaidSince(held) && { noes: withQuarantine(one.noes, held) }),
  }
}

/** The noes that the sign-up of a robot leaves, and its own. */
function withQuarantine(noes: Noes, { at, detail }: No): Noes {
  const left = noKinds.filter(
    (kind) => !isLiftedBySignUp(kind) || Number(noes[kind]?.at) >= Number(at),
  )
  const others = left.flatMap((kind) => (noes[kind] ? [[kind, noes[kind]]] : []))
  return { ...Object.fromEntries(others), quarantined: { at, detail } }
}

/** A file, a copy or a command adds what else is known of somebody. Known fields stay. */
export function withMore(one: Person, fields: Extra | undefined): Person {
  const all = fields && mergeExtra(one.fields, fields)
  return all ? { ...one, fields: all } : one
}

/** The time of a yes that is said now: it lifts whatever was said here before. */
export function afterNoes({ noes, suspected, forgottenAt }: Person, now: Date): Date {
  const said = [...Object.values(noes).map(({ at }) => at), suspected?.last, suspected?.lifts]
  return latest(now, [...said, forgottenAt], 1)
}

/** The time of a sign-up that is left now: it is none of those from before, and not the first one. */
export const afterSignUps = ({ signedUp, suspected }: Person, now: Date): Date =>
  latest(now, [signedUp?.first, suspected?.first], 0)

/** The time of a no that is said now: it counts, whatever yes was said here before. */
export function afterYeses(one: Person, now: Date): Date {
  const { signedUp, suspected, importedAt, answeredAt, releasedAt, noes } = one
  const said = Object.values(noes).map(({ at }) => at)
  const came = [signedUp?.first, signedUp?.lifts, suspected?.last, suspected?.lifts, importedAt]
  const known = latest(now, [...said, ...came, answeredAt, releasedAt], 0)
  // A letter that was asked for at the time of a no is asked for after it.
  return latest(known, [one.request?.askedAt, one.pending && lastAsked(one.pending)], 1)
}

/** @param after how much later than any of the others, in milliseconds. */
const latest = (now: Date, others: readonly (Date | undefined)[], after: number): Date =>
  new Date(others.reduce((last, at) => Math.max(last, at ? Number(at) + after : 0), Number(now)))

/** A file says from where somebody came; what is known stays, and nothing is kept of who was forgotten. */
export function withSource(one: Person, importedSource: Source): Person {
  if (isErased(one) || sourceOf(one)) return one
  return { ...one, importedSource }
}

/** A no is said: by its owner, a mail server, a provider, a file or the operator. */
export function sayNo(one: Person, kind: NoKind, { at, detail }: No): Person {
  // Of somebody who was erased, nothing more is kept.
  if (isBarred(one, at) || isErased(one)) return one
  const known = one.noes[kind]
  const heard: No = { at, ...(detail !== undefined && { detail: cleanDetail(detail) }) }
  return known && !isAfter(heard, known) ? one : { ...one, noes: { ...one.noes, [kind]: heard } }
}

/** The mailbox answered, or the operator says that it is alive: earlier bounces are over. */
export function answer(one: Person, at: Date): Person {
  return isBarred(one, at) || isErased(one)
    ? one
    : { ...one, answeredAt: later(one.answeredAt, at) }
}

/**
 * The owner says yes to the letter: it is their sign-up, from the time of their request, and lifts
 * what it would lift now.
 */
export function confirm(one: Person, said: SignUp, now: Date): Person {
  return answer(signUp(one, { ...said, suspicion: undefined, lifts: now }), now)
}

/** The hold ends that a "this was not me" began. */
export function endHold({ noes: { pending: _, ...noes }, ...one }: Person): Person {
  return { ...one, noes }
}

/** What a button behind a letter's link changes. */
export interface Press {
  /** The request as it is then; `null` where it is dropped. */
  readonly pending?: Pending | null
  /** Puts the address on the list; `null` takes that back. */
  readonly consent?: Consent | null
  /**
   * Whether an address on the list is held, and not mailed. Left out, it is held when it is taken back,
   * and else stays as it is.
   */
  readonly isHeld?: boolean
}

export function pressed(one: Person, press: Press, now: Date): Person {
  const { pending, consent, isHeld = consent === null ? true : undefined } = press
  if (pending === undefined) return one
  if (pending === null) return withoutPending(one)
  const { consent: _, ...others } = one.fields
  if (consent) {
    const said = isOnList(one) ? {} : fieldsOfRequest(pending, now)
    const { email, askedAt: at, source, fields } = pending
    const known = { ...withPending(one, pending), fields: { ...others, consent, ...said } }
    return confirm(known, { email, at, source, fields }, afterNoes(one, now))
  }
  const asked = withPending(one, pending)
  const kept = consent === null ? { ...asked, fields: others } : asked
  if (isHeld) return sayNo(kept, 'pending', { at: afterYeses(one, now) })
  return isHeld === false ? endHold(kept) : kept
}

/** @returns nothing where somebody is not quarantined, or said that it was not them. */
export function release(one: Person, at: Date): Person | undefined {
  if (standingOf(one) !== 'quarantined' || isDisowned(one)) return undefined
  return { ...one, releasedAt: at }
}

/** What stays of somebody who is erased: that they were. */
export function forget(one: Person, at: Date): Person {
  return { ...nobody, forgottenAt: laterOf(one.forgottenAt, at) }
}

/**
 * What two lists know of the same address, such as a copy and the list it is restored into. The
 * fields of the first one prevail.
 */
export function merge(first: Person, second: Person): Person {
  const forgottenAt = laterOf(first.forgottenAt, second.forgottenAt)
  const [one, other] = [first, second].map((person) => since(person, forgottenAt)) as [
    Person,
    Person,
  ]
  const { suspected, signedUp } = other
  let both: Person = { ...one, ...(forgottenAt && { forgottenAt }) }
  const email = one.email ?? other.email
  if (email !== undefined) {
    if (signedUp) {
      both = signUp(both, { email, at: signedUp.first, ...signedUp })
    }
    if (suspected)
      for (const at of [suspected.first, suspected.last])
        both = signUp(both, { ...suspected, email, at, suspicion: suspected.signs })
    if (other.importedAt && !isErased(both))
      both = { ...both, email, importedAt: earlier(both.importedAt, other.importedAt) }
  }
  for (const kind of noKinds)
    for (const [its, theirs] of [
      [one, other],
      [other, one],
    ] as const) {
      const no = its.noes[kind]
      if (no) both = sayNo(both, kind, besideOthers(no, theirs, kind))
    }
  const asked = askedIn(one, other)
  // Of somebody who is erased, nothing else is kept.
  if (isErased(both)) return { ...nobody, forgottenAt: both.forgottenAt, ...asked }
  return {
    ...both,
    ...asked,
    ...(other.answeredAt && { answeredAt: later(both.answeredAt, other.answeredAt) }),
    ...(other.releasedAt && { releasedAt: later(both.releasedAt, other.releasedAt) }),
    ...(other.importedSource && { importedSource: one.importedSource ?? other.importedSource }),
    fields: mergeExtra(both.fields, other.fields) ?? both.fields,
  }
}

/** That a merge erases somebody whose address is known, who may have been asked again since. */
export function erasedBy({ before, after }: { readonly before: Person; readonly after: Person }) {
  const { email, forgottenAt = 0 } = before
  const at = isErased(after) ? after.forgottenAt : undefined
  return email !== undefined && at && at > forgottenAt ? { email, at } : undefined
}

/**
 * A no as it counts beside what another list says, which does not know it. Two clocks leave a doubt whether
 * a sign-up came after it; and the operator's release there is no yes of its owner.
 */
function besideOthers(no: No, { noes, signedUp, suspected, releasedAt }: Person, kind: NoKind): No {
  const isKnown = !isLiftedBySignUp(kind) || Number(noes[kind]?.at) === Number(no.at)
  if (isKnown) return no
  const after = Number(signedUp?.lifts) - Number(no.at)
  if (signedUp && after > 0 && after <= DOUBT_MS) return { ...no, at: signedUp.lifts }
  const isBackSince = [signedUp?.lifts, suspected?.lifts].some((at) => at && at > no.at)
  const isReleasedAlone = kind !== 'quarantined' && !isBackSince
  return isReleasedAlone && releasedAt && releasedAt > no.at ? { ...no, at: releasedAt } : no
}

/** What two lists know of a request to confirm. */
function askedIn(one: Person, other: Person) {
  const email = one.email ?? other.email
  const [mine, theirs] = [stillToAsk(one, other), stillToAsk(other, one)]
  const request = mine && theirs ? together(mine, theirs) : (mine ?? theirs)
  const [known, also] =
    one.request && !mine ? [other.pending, one.pending] : [one.pending, other.pending]
  const pending = known ? withNo(known, also) : also
  const isAsked = one.request ?? other.request
  return (isAsked || pending) && { email, ...(isAsked && { request }), ...(pending && { pending }) }
}

/** A request whose letter has left meanwhile, as the other list knows, is over. */
function stillToAsk({ request }: Person, { request: theirs, pending }: Person) {
  const isTheirs = request && theirs && theirs.askedAt <= request.askedAt
  const hasLeft = request && pending?.lastLetterAt && pending.lastLetterAt > request.askedAt
  return hasLeft && !isTheirs ? undefined : request
}

/** Asked where nobody knew that they had just said "this was not me", they said it all the same. */
function withNo(pending: PendingData, other: PendingData | undefined): PendingData {
  const isAnswered = [pending.yesAt, pending.noAt, pending.confirmedAt].some((at) => at)
  const isDisowned = other && !other.confirmedAt && saidNotMe(other)
  if (isAnswered || !isDisowned || endsAt(other) <= pending.askedAt) return pending
  return { ...pending, noAt: other.noAt }
}

/** A person without anything from before they were erased elsewhere. */
function since(one: Person, forgottenAt: Date | undefined): Person {
  const isFromBefore =
    forgottenAt &&
    one.forgottenAt !== forgottenAt &&
    Number(one.forgottenAt ?? 0) < Number(forgottenAt)
  if (!isFromBefore) return one
  const came = subscribedAtOf(one)
  if (came && came > forgottenAt) return one
  const { email, signedUp, noes, request, pending } = one
  const isLater = (asked: PendingData | Request | undefined) => asked && asked.askedAt > forgottenAt
  const asked = {
    ...(isLater(request) && { email, request }),
    ...(isLater(pending) && { email, pending }),
  }
  if (email === undefined || !signedUp || signedUp.lifts <= forgottenAt)
    return { ...nobody, ...asked }
  // They signed up again after that, here where it was not known.
  const again = signUp({ ...nobody, ...asked }, { email, at: signedUp.lifts })
  const later = noKinds.filter((kind) => Number(noes[kind]?.at ?? 0) > Number(forgottenAt))
  return { ...again, noes: Object.fromEntries(later.map((kind) => [kind, noes[kind]])) }
}

const isBarred = ({ forgottenAt }: Person, at: Date): boolean =>
  forgottenAt !== undefined && at <= forgottenAt

/** Of two at the same time the order of their words decides, so that it is not that of their coming. */
function isAfter(heard: No, known: No): boolean {
  if (Number(heard.at) !== Number(known.at)) return heard.at > known.at
  return (heard.detail ?? '') > (known.detail ?? '')
}

const earlier = (known: Date | undefined, at: Date) => (known && known < at ? known : at)
const later = (known: Date | undefined, at: Date) => (known && known > at ? known : at)
const laterOf = (one: Date | undefined, other: Date | undefined) =>
  one && other ? later(one, other) : (one ?? other)
