import { isAddressId } from '../keys/address-id.ts'
import { isNetworkId } from '../keys/network-id.ts'
import { EMAIL_MAX_LENGTH } from '../shared/email.ts'
import { brakes } from '../shared/held-letters.ts'
import { sourceFrom } from '../shared/source.ts'
import { isCount, objectIn } from '../shared/stored-json.ts'
import { storedTime } from '../shared/stored-time.ts'
import { parseExtra } from './extra.ts'
import { saidFrom } from './known-fields.ts'
import { type PendingData, pendingFrom, shownFrom } from './pending.ts'
import { type Noes, type NoKind, noKinds, type Person } from './person.ts'
import { MOST_ASKING, type Request } from './request.ts'
import type { Line } from './signs.ts'
import { cleanDetail } from './standing.ts'

/** Somebody whose value cannot be read: never mailed, never written over, listed as held. */
export const unreadable = Symbol('unreadable')

/** They are held, and not left out: the balance of an announcement counts everybody. */
const held: Person = {
  noes: { quarantined: { at: new Date(0), detail: 'cannot be read' } },
  fields: {},
}

/** Somebody as they are shown and judged, also where they cannot be read. */
export const readable = (one: Person | typeof unreadable): Person =>
  one === unreadable ? held : one

class Unreadable extends Error {}

/** Characters: a receipt may come to fields that fill their room. Beyond that, no store of ours wrote them. */
const MOST_FIELDS = 20_000

/**
 * A person as they are stored. Anybody may have written it: what decides whether somebody is mailed is
 * read whole, or the person is not.
 */
export function personIn(json: unknown): Person | typeof unreadable {
  try {
    return readPerson(object(json))
  } catch (cause) {
    if (cause instanceof Unreadable) return unreadable
    throw cause
  }
}

/** The text that `personIn` reads. */
export const personText = (one: Person): string => JSON.stringify(one)

/**
 * A person as they were by a time: of what is said to be later, a yes stays out, and a no counts from
 * then on.
 */
export function asOf(one: Person, time: Date): Person {
  const { signedUp, suspected, importedAt, importedSource, answeredAt, releasedAt, ...rest } = one
  const { request, pending: asked, ...others } = rest
  const pending = asked && pendingAsOf(asked, time)
  const by = (at: Date) => (at > time ? time : at)
  const isPast = (at: Date | undefined) => at !== undefined && at <= time
  const noes = Object.entries(one.noes).map(([kind, no]) => [kind, { ...no, at: by(no.at) }])
  return {
    ...others,
    ...(signedUp &&
      isPast(signedUp.first) && { signedUp: { ...signedUp, lifts: by(signedUp.lifts) } }),
    ...(suspected &&
      isPast(suspected.first) && {
        suspected: { ...suspected, last: by(suspected.last), lifts: by(suspected.lifts) },
      }),
    ...(isPast(importedAt) && { importedAt, ...(importedSource && { importedSource }) }),
    ...(isPast(answeredAt) && { answeredAt }),
    ...(isPast(releasedAt) && { releasedAt }),
    noes: Object.fromEntries(noes),
    ...(request && isPast(request.askedAt) && { request }),
    ...(pending && { pending }),
    ...(one.forgottenAt && { forgottenAt: by(one.forgottenAt) }),
  }
}

/** A later request would never expire, so it stays out; an answer of no is kept in any case. */
function pendingAsOf(pending: PendingData, time: Date): PendingData | undefined {
  const { askedAt, lastLetterAt, noAt } = pending
  if (askedAt <= time && !(lastLetterAt && lastLetterAt > time)) return pending
  return noAt && { ...pending, askedAt: time, lastLetterAt: lastLetterAt && time, noAt: time }
}

function readPerson(row: Row): Person {
  const { email, signedUp, suspected, importedAt, importedSource, ...others } = row
  const { answeredAt, releasedAt, noes, forgottenAt, fields, request, pending, ...unknown } = others
  // A later version may have said something here that stops mail.
  if (Object.keys(unknown).length > 0) throw new Unreadable()
  if ((request ?? pending) !== undefined) address(email)
  return {
    ...maybe('email', email, address),
    ...maybe('signedUp', signedUp, (value) => {
      const { first, lifts, source, fields } = object(value)
      return {
        first: time(first),
        lifts: time(lifts),
        ...maybe('source', source, sourceFrom),
        ...maybe('fields', fields, saidFrom),
      }
    }),
    ...maybe('suspected', suspected, (value) => {
      const { first, last, lifts, signs } = object(value)
      return { first: time(first), last: time(last), lifts: time(lifts), signs: text(signs) }
    }),
    ...maybe('importedAt', importedAt, time),
    ...maybe('importedSource', importedSource, sourceFrom),
    ...maybe('answeredAt', answeredAt, time),
    ...maybe('releasedAt', releasedAt, time),
    noes: noesIn(object(noes)),
    ...maybe('request', request, (value) => requestIn(object(value))),
    ...maybe('pending', pending, (value) => pendingFrom(value) ?? fail()),
    ...maybe('forgottenAt', forgottenAt, time),
    fields: parseExtra(object(fields), MOST_FIELDS) ?? {},
  }
}

function requestIn(row: Row): Request {
  const { askedAt, shown, suspicion, source, fields, broughtBy, isContested, ...sending } = row
  const { networks, line, dueAt, tries, waitsFor } = sending
  return {
    askedAt: time(askedAt),
    shown: shownFrom(shown) ?? fail(),
    ...maybe('suspicion', suspicion, text),
    ...maybe('source', source, sourceFrom),
    ...maybe('fields', fields, (said) => parseExtra(said)),
    ...maybe('broughtBy', broughtBy, addressId),
    ...maybe('isContested', isContested, () => true as const),
    ...maybe('networks', networks, (ids) =>
      Array.isArray(ids) ? ids.filter(isNetworkId).slice(-MOST_ASKING) : fail(),
    ),
    line: lines.find((one) => one === line) ?? fail(),
    dueAt: time(dueAt),
    tries: isCount(tries) ? tries : fail(),
    ...maybe('waitsFor', waitsFor, (name) => brakes.find((one) => one === name) ?? fail()),
  }
}

const lines: readonly Line[] = [0, 1, 2]

/** In the order of their kinds, so that a person is written in one way. */
function noesIn(noes: Row): Noes {
  if (!Object.keys(noes).every((kind) => noKinds.includes(kind as NoKind))) throw new Unreadable()
  return Object.fromEntries(
    noKinds.flatMap((kind) => {
      if (noes[kind] === undefined) return []
      const { at, detail } = object(noes[kind])
      return [[kind, { at: time(at), ...maybe('detail', detail, text) }]]
    }),
  )
}

type Row = Readonly<Record<string, unknown>>

/** A property that may be left out. */
function maybe<N extends string, T>(name: N, value: unknown, read: (value: unknown) => T) {
  return (value === undefined ? {} : { [name]: read(value) }) as { readonly [name in N]?: T }
}

const object = (value: unknown): Row =>
  (Array.isArray(value) ? undefined : objectIn(value)) ?? fail()
const time = (value: unknown): Date => storedTime(value) ?? fail()
const text = (value: unknown): string =>
  (typeof value === 'string' ? cleanDetail(value) : undefined) ?? fail()
const addressId = (value: unknown): string =>
  typeof value === 'string' && isAddressId(value) ? value : fail()
const ADDRESS = /^("[^\p{Cc}]*"|[^\s<>"\p{Cc}]+)@[^\s<>@"\p{Cc}]+$/u

/**
 * It was read as an address once. Only its form counts here: what `parseEmail` takes may change, and
 * nobody is to be lost by that.
 */
const address = (value: unknown): string =>
  typeof value === 'string' && value.length <= EMAIL_MAX_LENGTH && ADDRESS.test(value)
    ? value
    : fail()

function fail(): never {
  throw new Unreadable()
}
