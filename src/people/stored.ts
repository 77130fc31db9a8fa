import { isAddressId } from '../keys/address-id.ts'
import { isNetworkId } from '../keys/network-id.ts'
import { EMAIL_MAX_LENGTH } from '../shared/email.ts'
import { brakes } from '../shared/held-letters.ts'
import { sourceFrom } from '../shared/source.ts'
import { isCount, objectIn } from '../shared/stored-json.ts'
import { storedTime } from '../shared/stored-time.ts'
import { isExtra, parseExtra } from './extra.ts'
import { saidFrom } from './known-fields.ts'
import { type PendingData, pendingFrom, shownFrom } from './pending.ts'
import {
  type No,
  type Noes,
  type NoKind,
  noKinds,
  type Person,
  type SignedUp,
  type Suspected,
} from './person.ts'
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

/** The fields of a stored value, by what reads each; those of `optional` may be left out. */
function reader<T>(
  required: { readonly [name in keyof T]?: (value: unknown) => T[name] },
  optional: { readonly [name in keyof T]?: (value: unknown) => T[name] | undefined } = {},
) {
  const names = new Set([...Object.keys(required), ...Object.keys(optional)])
  const [all, some]: [Readers, Readers] = [Object.entries(required), Object.entries(optional)]
  return {
    names,
    read(value: unknown): T {
      const row = object(value)
      const found: Record<string, unknown> = {}
      for (const [name, read] of all) found[name] = read(row[name])
      for (const [name, read] of some) if (row[name] !== undefined) found[name] = read(row[name])
      return found as T
    },
  }
}

type Readers = readonly (readonly [name: string, read: (value: unknown) => unknown])[]
type Row = Readonly<Record<string, unknown>>

const object = (value: unknown): Row =>
  (Array.isArray(value) ? undefined : objectIn(value)) ?? fail()
const time = (value: unknown): Date => storedTime(value) ?? fail()
const text = (value: unknown): string =>
  (typeof value === 'string' ? cleanDetail(value) : undefined) ?? fail()
const addressId = (value: unknown): string =>
  typeof value === 'string' && isAddressId(value) ? value : fail()
/** Nearly all are plain. */
const PLAIN = /^[\w.+-]+@[\w.-]+$/
const ADDRESS = /^("[^\p{Cc}]*"|[^\s<>"\p{Cc}]+)@[^\s<>@"\p{Cc}]+$/u

/**
 * It was read as an address once. Only its form counts here: what `parseEmail` takes may change, and
 * nobody is to be lost by that.
 */
const address = (value: unknown): string =>
  typeof value === 'string' &&
  value.length <= EMAIL_MAX_LENGTH &&
  (PLAIN.test(value) || ADDRESS.test(value))
    ? value
    : fail()

const isTrue = () => true as const

const signedUp = reader<SignedUp>(
  { first: time, lifts: time },
  { source: sourceFrom, fields: saidFrom },
)
const suspected = reader<Suspected>({ first: time, last: time, lifts: time, signs: text })

const request = reader<Request>(
  {
    askedAt: time,
    shown: (value) => shownFrom(value) ?? fail(),
    line: (value) => lines.find((one) => one === value) ?? fail(),
    dueAt: time,
    tries: (value) => (isCount(value) ? value : fail()),
  },
  {
    suspicion: text,
    source: sourceFrom,
    fields: (value) => parseExtra(value),
    broughtBy: addressId,
    isContested: isTrue,
    networks: (ids) => (Array.isArray(ids) ? ids.filter(isNetworkId).slice(-MOST_ASKING) : fail()),
    waitsFor: (value) => brakes.find((one) => one === value) ?? fail(),
  },
)

const lines: readonly Line[] = [0, 1, 2]

const no = reader<No>({ at: time }, { detail: text })

/** In the order of their kinds, so that a person is written in one way. */
function noesIn(value: unknown): Noes {
  const row = object(value)
  const noes: Partial<Record<NoKind, No>> = {}
  for (const kind of noKinds) if (row[kind] !== undefined) noes[kind] = no.read(row[kind])
  if (Object.keys(row).some((kind) => !noKinds.includes(kind as NoKind))) fail()
  return noes
}

const person = reader<Person>(
  {
    noes: noesIn,
    fields: (value) => (isExtra(object(value), MOST_FIELDS) ? object(value) : {}),
  },
  {
    email: address,
    signedUp: signedUp.read,
    suspected: suspected.read,
    importedAt: time,
    importedSource: sourceFrom,
    answeredAt: time,
    releasedAt: time,
    request: request.read,
    pending: (value) => pendingFrom(value) ?? fail(),
    forgottenAt: time,
  },
)

function readPerson(row: Row): Person {
  // A later version may have said something here that stops mail.
  if (Object.keys(row).some((name) => !person.names.has(name))) fail()
  if ((row.request ?? row.pending) !== undefined) address(row.email)
  return person.read(row)
}

function fail(): never {
  throw new Unreadable()
}
