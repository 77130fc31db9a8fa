import type { AddressIds } from '../../keys/address-id.ts'
import { signUp } from '../../people/changes.ts'
import { queueIn } from '../../people/event-queue.ts'
import { isBlank, isOnList, nobody, type Person, whyNotMailed } from '../../people/person.ts'
import { asOf, personIn, unreadable } from '../../people/stored.ts'
import { parseEmail } from '../../shared/email.ts'
import { languageCode } from '../../shared/language-code.ts'
import { sourceName } from '../../shared/source.ts'
import { isCount, objectIn } from '../../shared/stored-json.ts'
import { storedTime } from '../../shared/stored-time.ts'
import { type DeliveryStatus, deliveryStatuses, suppressionReasons } from '../delivery-ledger.ts'
import type { WaitingPerson } from '../events.ts'
import type { CopiedPerson, DeliveryRow } from '../restore-target.ts'
import {
  HOUR_MS,
  type HourOfVisits,
  type NameCount,
  nameKinds,
  type VisitCounts,
  visitKinds,
} from '../visits.ts'

/*
 * Checks the rows of a copy by the rules of an import, since anybody may have made it. Each
 * function gives `undefined` for a row that no store of ours writes. `asOf` is the latest time that
 * a row may have. A later sign-up stays out; a later departure or delivery is kept, with the time
 * `asOf`.
 */

type Row = Readonly<Record<string, unknown>>

const addressId = /^[\w-]{22}$/
const announcementId = /^[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?$/
const LONGEST_LINE = 1000
/** The answer of a delivery that was open in the copy. */
export const RESTORED = 'restored from a copy'

/**
 * A person whose every sign-up is later stays out; what they said no to is kept. A no that cannot be
 * read is one.
 */
export function personRowIn(
  { id, data }: Row,
  ids: AddressIds,
  time = new Date(),
): CopiedPerson | undefined {
  if (!matches(id, addressId)) return undefined
  const whole = readable(data)
  const isWhole = whole !== unreadable && (whole.email === undefined || isAddress(whole.email))
  const found = isWhole ? whole : noesIn(data, time)
  // With the id of another address, it would be that one's no.
  if (!found || (found.email !== undefined && ids.of(found.email) !== id)) return undefined
  const person = asOf(found, time)
  const isLost = isOnList(found) && !isOnList(person) && !whyNotMailed(person)
  return isLost || isBlank(person) ? undefined : { addressId: id, person }
}

/** A request to confirm that cannot be read stays out alone. */
function readable(data: unknown): ReturnType<typeof personIn> {
  const whole = personIn(data)
  if (whole !== unreadable) return whole
  const { request: _, pending: __, ...rest } = objectIn(data) ?? {}
  return personIn(rest)
}

/** What somebody said no to, of whom the rest cannot be read. */
function noesIn(data: unknown, time: Date): Person | undefined {
  const row = objectIn(data) ?? {}
  const noes = { unsubscribed: { at: time.toISOString() } }
  const isOfSomebody = row.email === undefined || isAddress(row.email)
  const found = [
    ...(isOfSomebody ? [{ ...row, noes }] : []),
    { noes: row.noes, fields: {} },
    { noes, fields: {} },
  ]
    .map(personIn)
    .find((one): one is Person => one !== unreadable)
  return found && Object.keys(found.noes).length > 0 ? found : undefined
}

/** A record whose person was not taken in yet. */
export function recordIn(
  { data }: Row,
  ids: AddressIds,
  time = new Date(),
): CopiedPerson | undefined {
  const { email, subscribedAt } = objectIn(data) ?? {}
  const at = timeIn(subscribedAt, time)
  if (!at || !isAddress(email)) return undefined
  return { addressId: ids.of(email), person: signUp(nobody, { email, at }) }
}

/** Without what follows from the list that it comes into. */
export function announcementIn({ id, subject, digest, begunAt }: Row, asOf = new Date()) {
  const line = { subject: lineIn(subject), digest: lineIn(digest) }
  if (!matches(id, announcementId) || line.subject === undefined || line.digest === undefined)
    return undefined
  return { id, subject: line.subject, digest: line.digest, begunAt: pastIn(begunAt, asOf) }
}

/** Larger than any list, and twice it is a safe integer. */
const MOST_NUMBER = 2 ** 51

/** Whether a row of a delivery had yet to be sent. */
export const isStillToTell = ({ status }: Row) => status === 'queued' || status === 'sending'

/**
 * A delivery that was open when the copy was made may have been sent since: it is `uncertain`, and
 * counts as tried.
 */
export function deliveryIn(row: Row, asOf = new Date()): DeliveryRow | undefined {
  const { number, tries, addressId: id } = row
  const status = oneOf(deliveryStatuses, row.status)
  if (!status || !isFew(tries) || !Number.isInteger(number)) return undefined
  if (Math.abs(Number(number)) > MOST_NUMBER) return undefined
  const isOpen = isStillToTell(row)
  return {
    number: Number(number),
    addressId: status !== 'forgotten' && matches(id, addressId) ? id : undefined,
    changedAt: pastIn(row.changedAt, asOf),
    tries: isOpen ? Math.max(1, tries) : tries,
    status: isOpen ? 'uncertain' : (status as Exclude<DeliveryStatus, 'queued' | 'sending'>),
    answer: isOpen ? RESTORED : lineIn(row.answer),
    standing: oneOf(suppressionReasons, row.standing),
    language: languageCode(row.language),
  }
}

/** A public key is 32 bytes in base64url. */
export function invitationKeyIn({ publicKey, until: end }: Row) {
  const until = storedTime(end)
  return matches(publicKey, /^[\w-]{43}$/) && until ? { publicKey, until } : undefined
}

export function visitsIn({ hour, ...counts }: Row, asOf = new Date()): HourOfVisits | undefined {
  const time = hourIn(hour, asOf)
  const isWhole = visitKinds.every((kind) => isFew(counts[kind]))
  return time && isWhole ? { hour: time, counts: counts as unknown as VisitCounts } : undefined
}

export function nameCountIn({ hour, kind: kindOf, name, number }: Row, asOf = new Date()) {
  const [time, kind] = [hourIn(hour, asOf), oneOf(nameKinds, kindOf)]
  if (!time || !kind || !isFew(number)) return undefined
  if (name !== null && !(typeof name === 'string' && sourceName(name) === name)) return undefined
  const count: NameCount = { kind, name, number }
  return { hour: time, count }
}

/** What waited of one person: with the id of another, it would be theirs. */
export function waitingIn(
  { person, data }: Row,
  ids: AddressIds,
  asOf = new Date(),
): WaitingPerson | undefined {
  const queue = queueIn(data)
  if (!queue?.events.length || !matches(person, addressId)) return undefined
  const { email, events: found } = queue
  if (email !== undefined && !(isAddress(email) && ids.person(ids.of(email)) === person))
    return undefined
  const events = found.map((one) => ({ ...one, at: Math.min(one.at, asOf.getTime()) }))
  return { person, queue: { ...(email !== undefined && { email }), events, tries: 0 } }
}

/** Ten years: older hours are of no use, and the number of hours in a copy must be limited. */
const MOST_VISIT_MS = 10 * 365 * 24 * HOUR_MS

function hourIn(value: unknown, asOf: Date): Date | undefined {
  if (!isCount(value)) return undefined
  const age = Number(asOf) - value * HOUR_MS
  return age >= 0 && age <= MOST_VISIT_MS ? new Date(value * HOUR_MS) : undefined
}

/** More than any hour has, and small enough that no sum is too large. */
const MANY = 1e9

const isFew = (value: unknown): value is number => isCount(value) && value <= MANY

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && parseEmail(value) === value
}

/** @returns `undefined` for an invalid time, or a later one. */
function timeIn(value: unknown, asOf: Date): Date | undefined {
  const time = storedTime(value)
  return time && time <= asOf ? time : undefined
}

/** Reads the time of something that did happen: an invalid or later time becomes `asOf`. */
const pastIn = (value: unknown, asOf: Date): Date => timeIn(value, asOf) ?? asOf

/** One line, without control and format characters. */
export function lineIn(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  return value.slice(0, LONGEST_LINE).replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu, ' ')
}

function matches(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value)
}

function oneOf<T extends string>(all: readonly T[], value: unknown): T | undefined {
  return all.find((one) => one === value)
}
