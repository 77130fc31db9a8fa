import type { AddressIds } from '../../keys/address-id.ts'
import { parseEmail } from '../../shared/email.ts'
import { languageCode } from '../../shared/language-code.ts'
import { parseOpenUrl } from '../../shared/open-url.ts'
import { sourceFrom, sourceName } from '../../shared/source.ts'
import { storedTime } from '../../shared/stored-time.ts'
import { isTimeZone } from '../../shared/time-zone.ts'
import {
  type Announcement,
  type DeliveryStatus,
  deliveryStatuses,
  suppressionReasons,
} from '../delivery-ledger.ts'
import { queueIn } from '../event-queue.ts'
import type { WaitingPerson } from '../events.ts'
import { extraFrom } from '../extra.ts'
import type { Opening } from '../opening.ts'
import { type Pending, pendingFrom } from '../pending.ts'
import type { DeliveryRow, KnownEntry } from '../restore-target.ts'
import { cleanDetail, standings } from '../standing.ts'
import { isCount } from '../stored-json.ts'
import type { ImportedSubscriber } from '../subscriber-list.ts'
import { HOUR_MS, type KeptSource, type NameCount, nameKinds, visitKinds } from '../visits.ts'

/*
 * Checks the rows of a copy by the rules of an import, since anybody may have made it. Each
 * function gives `undefined` for a row that no store of ours writes. `asOf` is the latest time that
 * a row may have. A later sign-up stays out; a later departure or delivery is kept, with the time
 * `asOf`.
 */

type Row = Readonly<Record<string, unknown>>

const addressId = /^[\w-]{22}$/
/** The random id of a delivery whose address was forgotten. */
const nobodysId = /^[\w -]{1,60}$/
const announcementId = /^[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?$/
const LONGEST_LINE = 1000
/** The answer of a delivery that was open in the copy. */
export const RESTORED = 'restored from a copy'

export function subscriberIn(
  { email, subscribedAt, signedUpAt = null }: Row,
  asOf = new Date(),
): ImportedSubscriber | undefined {
  const at = timeIn(subscribedAt, asOf)
  if (!at || !isAddress(email)) return undefined
  // Without a time of its own, the record is the sign-up at the page.
  const page = signedUpAt === null ? at : timeIn(signedUpAt, asOf)
  return { email, subscribedAt: at, ...(page && { signedUpAt: page }) }
}

/** An unreadable standing is not the usual one, so it counts as a departure. */
export function knownIn(row: Row, asOf = new Date()): KnownEntry | undefined {
  const { addressId: id, standing, detail, fields } = row
  if (!matches(id, addressId)) return undefined
  const extra = extraFrom(fields)
  if (standing === null) return { addressId: id, extra, standing: undefined }
  const is = oneOf(standings, standing) ?? 'unsubscribed'
  const at = is === 'subscribed' ? timeIn(row.at, asOf) : pastIn(row.at, asOf)
  if (!at) return undefined
  const entry = { standing: is, at, detail: cleanDetail(lineIn(detail)) }
  return {
    addressId: id,
    extra,
    standing: entry,
    ...(row.isImported === 1 && { isImported: true }),
  }
}

/** Without its pace: deliveries that were open are uncertain in a restored list. */
export function announcementIn(row: Row, asOf = new Date()): Announcement | undefined {
  const { id, eligible } = row
  const [subject, digest] = [lineIn(row.subject), lineIn(row.digest)]
  const [begunAt, cutOff] = [pastIn(row.begunAt, asOf), pastIn(row.cutOff, asOf)]
  if (!matches(id, announcementId) || subject === undefined || digest === undefined)
    return undefined
  if (eligible !== null && !isCount(eligible)) return undefined
  return { id, subject, digest, begunAt, cutOff, eligible: eligible ?? undefined }
}

/** Whether a row of a delivery had yet to be sent. */
export const isStillToTell = ({ status }: Row) => status === 'queued' || status === 'sending'

/**
 * A delivery that was open when the copy was made may have been sent since: it is `uncertain`, and
 * counts as tried.
 */
export function deliveryIn(row: Row, ids: AddressIds, asOf = new Date()): DeliveryRow | undefined {
  const { email, tries, addressId: id } = row
  const status = oneOf(deliveryStatuses, row.status)
  const [dueAt, changedAt] = [storedTime(row.dueAt) ?? asOf, pastIn(row.changedAt, asOf)]
  if (!status || !isCount(tries) || !matches(id, nobodysId)) return undefined
  // With the id of another address, the letter would carry the unsubscribe link of that address.
  const isNobodys = email === null && status === 'forgotten'
  if (!isNobodys && !(isAddress(email) && ids.of(email) === id)) return undefined
  const isOpen = isStillToTell(row)
  return {
    rowId: String(row.id),
    addressId: id,
    dueAt,
    changedAt,
    tries: isOpen ? Math.max(1, tries) : tries,
    email: isNobodys ? undefined : String(email),
    status: isOpen ? 'uncertain' : (status as Exclude<DeliveryStatus, 'queued' | 'sending'>),
    answer: isOpen ? RESTORED : lineIn(row.answer),
    standing: oneOf(suppressionReasons, row.standing),
    language: languageCode(row.language),
  }
}

export function sourceRowIn(
  { addressId: id, at, ...names }: Row,
  asOf = new Date(),
): KeptSource | undefined {
  const [time, source] = [timeIn(at, asOf), sourceFrom(names)]
  return matches(id, addressId) && time && source ? { addressId: id, at: time, source } : undefined
}

export function openingIn(
  { url, at, zone, openedAt }: Row,
  asOf = new Date(),
): Opening | undefined {
  const [time, opened] = [storedTime(at), timeIn(openedAt, asOf)]
  const isAddress = typeof url === 'string' && parseOpenUrl(url) === url
  if (!isAddress || !time || !(openedAt === null || opened)) return undefined
  if (typeof zone !== 'string' || !isTimeZone(zone)) return undefined
  return { url, at: time, zone, openedAt: opened }
}

/** A public key is 32 bytes in base64url. */
export function invitationKeyIn({ publicKey, until: end }: Row) {
  const until = storedTime(end)
  return matches(publicKey, /^[\w-]{43}$/) && until ? { publicKey, until } : undefined
}

export function visitIn({ hour, kind: kindOf, number }: Row, asOf = new Date()) {
  const [time, kind] = [hourIn(hour, asOf), oneOf(visitKinds, kindOf)]
  return time && kind && isFew(number) ? { hour: time, kind, number } : undefined
}

export function nameCountIn({ hour, kind: kindOf, name, number }: Row, asOf = new Date()) {
  const [time, kind] = [hourIn(hour, asOf), oneOf(nameKinds, kindOf)]
  if (!time || !kind || !isFew(number)) return undefined
  if (name !== null && !(typeof name === 'string' && sourceName(name) === name)) return undefined
  const count: NameCount = { kind, name, number }
  return { hour: time, count }
}

/** A later request would never expire, so it stays out; an answer of no is kept in any case. */
export function pendingIn(data: unknown, asOf = new Date()): Pending | undefined {
  const pending = pendingFrom(data)
  if (!pending) return undefined
  const { askedAt, lastLetterAt, noAt } = pending
  if (askedAt <= asOf && !(lastLetterAt && lastLetterAt > asOf)) return pending
  return noAt && { ...pending, askedAt: asOf, lastLetterAt: lastLetterAt && asOf, noAt: asOf }
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
