import { isAddressId } from '../keys/address-id.ts'
import { EMAIL_MAX_LENGTH } from '../shared/email.ts'
import { brakes } from '../shared/held-letters.ts'
import { sourceFrom } from '../shared/source.ts'
import {
  asCount,
  objectIn,
  oneOf,
  only,
  type Read,
  reader,
  storedTime,
} from '../shared/stored-json.ts'
import { isExtra, parseExtra } from './extra-fields.ts'
import { saidFrom } from './known-fields.ts'
import { type PendingData, pendingFrom, shownFrom } from './pending.ts'
import {
  type No,
  type Noes,
  noKinds,
  type Person,
  type SignedUp,
  type Suspected,
} from './person.ts'
import type { Line } from './place-in-line.ts'
import { MOST_ASKING, type Request } from './request.ts'
import { cleanDetail } from './standing.ts'

/**
 * Somebody whose value cannot be read: never mailed, never written over, listed as held. They are not left
 * out: the balance of an announcement counts everybody.
 */
export const unreadable: Person = {
  noes: { quarantined: { at: new Date(0), detail: 'cannot be read' } },
  fields: {},
}

class Unreadable extends Error {}

/** Characters: a receipt may come to fields that fill their space. Beyond that, no store of ours wrote them. */
const MOST_FIELDS = 20_000

/**
 * A person as they are stored. Anybody may have written it: what decides whether somebody is mailed is
 * read whole, or the person is not.
 */
export function personIn(json: unknown): Person {
  try {
    const row = object(json)
    if ((row.request ?? row.pending) !== undefined) address(row.email)
    return person(row)
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

/** What is there and cannot be read makes the person unreadable. */
const must =
  <T>(read: Read<T>) =>
  (stored: unknown): T =>
    read(stored) ?? fail()

const object = must((stored) => (Array.isArray(stored) ? undefined : objectIn(stored)))
const time = must(storedTime)
const text = must((stored) => (typeof stored === 'string' ? cleanDetail(stored) : undefined))
/** Nearly all are plain. */
const PLAIN = /^[\w.+-]+@[\w.-]+$/
const ADDRESS = /^("[^\p{Cc}]*"|[^\s<>"\p{Cc}]+)@[^\s<>@"\p{Cc}]+$/u

/**
 * It was read as an address once. Only its form counts here: what `parseEmail` takes may change, and
 * nobody is to be lost by that.
 */
const address = must(
  only(
    (stored): stored is string =>
      typeof stored === 'string' &&
      stored.length <= EMAIL_MAX_LENGTH &&
      (PLAIN.test(stored) || ADDRESS.test(stored)),
  ),
)

const signedUp = must(
  reader<SignedUp>(
    { first: time, lifts: time },
    { source: sourceFrom, fields: saidFrom, key: text },
  ),
)
const suspected = must(
  reader<Suspected>({ first: time, last: time, lifts: time, signs: text }, { fields: saidFrom }),
)

const request = must(
  reader<Request>(
    {
      askedAt: time,
      shown: shownFrom,
      line: must(oneOf<Line>([0, 1, 2])),
      dueAt: time,
      tries: must(asCount),
    },
    {
      suspicion: text,
      source: sourceFrom,
      fields: (stored) => parseExtra(stored),
      referredBy: must(only(isAddressId)),
      // Any doubt is one.
      isContested: () => true as const,
      networks: (ids) =>
        Array.isArray(ids) ? ids.filter(isAddressId).slice(-MOST_ASKING) : fail(),
      waitsFor: must(oneOf(brakes)),
    },
  ),
)

const no = must(reader<No>({ at: time }, { detail: text }))

const noes = must(reader<Noes>({}, Object.fromEntries(noKinds.map((kind) => [kind, no])), true))

const person = must(
  reader<Person>(
    {
      noes,
      fields: (value) => (isExtra(object(value), MOST_FIELDS) ? object(value) : {}),
    },
    {
      email: address,
      signedUp,
      suspected,
      importedAt: time,
      importedSource: sourceFrom,
      answeredAt: time,
      releasedAt: time,
      request,
      pending: must(pendingFrom),
      forgottenAt: time,
    },
    // A later version may have said something here that stops mail.
    true,
  ),
)

function fail(): never {
  throw new Unreadable()
}
