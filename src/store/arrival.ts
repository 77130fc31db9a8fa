import { type AddressIds, isAddressId } from '../keys/address-id.ts'
import type { SignUpNotes } from '../people/changes.ts'
import { saidFrom } from '../people/known-fields.ts'
import { shownFrom } from '../people/pending.ts'
import { type Line, placeInLine } from '../people/place-in-line.ts'
import type { Asked } from '../people/request.ts'
import { cleanDetail } from '../people/standing.ts'
import { parseEmail } from '../shared/email.ts'
import { LONGEST_REPLY } from '../shared/reply.ts'
import { sourceFrom } from '../shared/source.ts'
import { asText, asTrue, objectIn, only, reader, storedTime } from '../shared/stored-json.ts'

/*
 * What visitors leave is appended to the records and waits there, with what was seen of it, until it is
 * taken in: so nothing of what is known is looked up before a visitor is thanked.
 */

/** One thing that a visitor left, as it is appended. */
export interface Arrival {
  /** Sign-ups are the specification's records; what else waits has a collection of its own, as in Firestore. */
  readonly to: Collection
  readonly who: { readonly email: string } | { readonly addressId: string }
  /** Decided before, so that nobody waits behind a robot's million. */
  readonly line: Line | typeof FOUND
  readonly seen: object
  /** When it was left, of one that comes late; of all others it is now. */
  readonly at?: Date
}

/**
 * Found elsewhere, and yet to be judged in the order of their times: no line takes them in. It is above all
 * else that waits, so that an index finds what is below it and passes over none of these.
 */
export const FOUND = 10

export type Collection = 'subscribers' | 'confirmationRequests' | 'replies'

/** The same, as it is taken in. */
export type Entry =
  | (Of<'subscribers', SignUpNotes> & { readonly email: string })
  | (Of<'confirmationRequests', Asked> & { readonly email: string })
  | (Of<'replies', Reply> & { readonly email?: string | undefined })

interface Of<C extends Collection, Said> {
  readonly to: C
  readonly addressId: string
  readonly at: Date
  /** Whether it comes later than what was committed after it: it is judged by its time alone. */
  readonly isLate: boolean
  readonly said: Said
}

export interface Reply {
  /** As `replyTo` gives it. */
  readonly answer: string
  /** That of the sign-up which replies. Left out of a reply to a letter, and where the operator replies. */
  readonly key?: string | undefined
}

export const signUpArrival = (email: string, { suspicion, ...said }: SignUpNotes): Arrival => {
  const seen = { ...said, suspicion: cleanDetail(suspicion) }
  return { to: 'subscribers', who: { email }, line: placeInLine(seen.suspicion, false), seen }
}

export function requestArrival(email: string, { suspicion, ...said }: Asked): Arrival {
  const seen = { ...said, suspicion: cleanDetail(suspicion) }
  const line = placeInLine(seen.suspicion, said.isCrowd)
  return { to: 'confirmationRequests', who: { email }, line, seen }
}

export const replyArrival = (who: Arrival['who'], said: Reply): Arrival => {
  return { to: 'replies', who, line: 0, seen: said }
}

/** What was left elsewhere, at a time of its own, by which alone it is judged: taken in twice, it changes nothing. */
export const lateArrival = (one: Arrival, at: Date): Arrival => {
  return { ...one, at, seen: { ...one.seen, appendedAt: new Date() } }
}

/** Reads a row of the list or of a copy, which anybody may have made. @param idOf gives the id of an address. */
export function entryIn(
  { collection, data, seen: text }: Readonly<Record<string, unknown>>,
  idOf: AddressIds['of'],
): Entry | undefined {
  const [who, seen] = [objectIn(data), objectIn(text)]
  const at = storedTime(who?.subscribedAt)
  if (!who || !seen || !at) return undefined
  const email = typeof who.email === 'string' && parseEmail(who.email) === who.email && who.email
  const addressId = email ? idOf(email) : who.addressId
  if (!isAddressId(addressId)) return undefined
  const all = { addressId, at, isLate: seen.appendedAt !== undefined }
  const to = String(collection).split('/').at(-1)
  if (to === 'replies') {
    const { answer, key } = seen
    if (typeof answer !== 'string' || answer.length > LONGEST_REPLY) return undefined
    return { ...all, to, ...(email && { email }), said: { answer, key: asText(key) } }
  }
  if (!email) return undefined
  if (to === 'subscribers') return { ...all, to, email, said: signUpIn(seen) ?? {} }
  const asked = to === 'confirmationRequests' ? askedIn(seen) : undefined
  return (
    asked && {
      ...all,
      to: 'confirmationRequests',
      email,
      said: { ...asked, isCrowd: !!asked.isCrowd },
    }
  )
}

const suspicion = (stored: unknown) => cleanDetail(asText(stored))
const saidFields = { suspicion, source: sourceFrom, fields: saidFrom }
const signUpIn = reader<SignUpNotes>({}, { ...saidFields, key: asText })
const askedIn = reader<Asked>(
  { shown: shownFrom },
  { ...saidFields, isCrowd: asTrue, network: only(isAddressId), referredBy: only(isAddressId) },
)

/**
 * Two of the first line for one of the others, in turn, so that none of them waits for the end of another.
 *
 * @param before how many were taken before: the turns go on from there.
 */
export function inTurn<T>([first = [], ...others]: readonly (readonly T[])[], before = 0): T[] {
  const queues = [first.values(), ...others.map((line) => line.values())]
  const inOrder = others.flatMap((_, i) => [0, 0, i + 1])
  const begin = before % Math.max(1, inOrder.length)
  const turns = [...inOrder.slice(begin), ...inOrder.slice(0, begin)]
  const all: T[] = []
  for (let isAny = true; isAny; ) {
    const found = turns.flatMap((turn) => {
      const next = queues[turn]?.next()
      return next && !next.done ? [next.value] : []
    })
    all.push(...found)
    isAny = found.length > 0
  }
  return all
}
