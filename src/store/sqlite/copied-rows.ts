import type { AddressIds } from '../../keys/address-id.ts'
import { parseEmail } from '../../shared/email.ts'
import { parseOpenUrl } from '../../shared/open-url.ts'
import { sourceFrom, sourceName } from '../../shared/source.ts'
import { isTimeZone } from '../../shared/time-zone.ts'
import {
  type Announcement,
  type DeliveryStatus,
  deliveryStatuses,
  suppressionReasons,
} from '../delivery-ledger.ts'
import { extraFrom } from '../extra.ts'
import { type Invitation, invitationEnds } from '../invitations.ts'
import type { Opening } from '../opening.ts'
import type { DeliveryRow, KnownEntry } from '../restore-target.ts'
import { cleanDetail, standings } from '../standing.ts'
import type { ImportedSubscriber } from '../subscriber-list.ts'
import { HOUR_MS, type KeptSource, type NameCount, nameKinds, visitKinds } from '../visits.ts'

/*
 * What a copy says, held to the rules that an import is held to: anybody may have made it. Each
 * gives `undefined` for a row that no store of ours has written.
 */

type Row = Readonly<Record<string, unknown>>

const addressId = /^[\w-]{22}$/
/** The random id of a delivery whose address was forgotten. */
const nobodysId = /^[\w -]{1,60}$/
const announcementId = /^[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?$/
const LONGEST_LINE = 1000
/** The answer of a delivery that was open in the copy. */
export const RESTORED = 'restored from a copy'

export function subscriberIn({ email, subscribedAt }: Row): ImportedSubscriber | undefined {
  const at = timeIn(subscribedAt)
  return at && isAddress(email) ? { email, subscribedAt: at } : undefined
}

export function knownIn({ addressId: id, standing, at, detail, fields }: Row) {
  if (!matches(id, addressId)) return undefined
  const since = timeIn(at)
  const is = oneOf(standings, standing)
  if (standing !== null && !(is && since)) return undefined
  const entry: KnownEntry = {
    addressId: id,
    extra: extraFrom(fields),
    standing: is && since && { standing: is, at: since, detail: cleanDetail(lineIn(detail)) },
  }
  return entry
}

/** Without its waves: what waited for one is uncertain once it comes from a copy. */
export function announcementIn(row: Row): Announcement | undefined {
  const { id, eligible } = row
  const [subject, digest] = [lineIn(row.subject), lineIn(row.digest)]
  const [begunAt, cutOff] = [timeIn(row.begunAt), timeIn(row.cutOff)]
  if (!matches(id, announcementId) || subject === undefined || digest === undefined)
    return undefined
  if (!begunAt || !cutOff || (eligible !== null && !isCount(eligible))) return undefined
  return { id, subject, digest, begunAt, cutOff, eligible: eligible ?? undefined }
}

/**
 * A delivery that was open when the copy was made may have been sent since: it is `uncertain`, and
 * has had a try, so that it is one to be tried again.
 */
export function deliveryIn(row: Row, ids: AddressIds): DeliveryRow | undefined {
  const { email, tries, addressId: id } = row
  const status = oneOf(deliveryStatuses, row.status)
  const [dueAt, changedAt] = [timeIn(row.dueAt, true), timeIn(row.changedAt)]
  if (!status || !dueAt || !changedAt || !isCount(tries) || !matches(id, nobodysId))
    return undefined
  // With the id of another address, the letter would carry the unsubscribe link of that address.
  const isNobodys = email === null && status === 'forgotten'
  if (!isNobodys && !(isAddress(email) && ids.of(email) === id)) return undefined
  const isOpen = status === 'queued' || status === 'sending'
  return {
    ...{ rowId: String(row.id), addressId: id, dueAt, changedAt },
    tries: isOpen ? Math.max(1, tries) : tries,
    email: isNobodys ? undefined : String(email),
    status: isOpen ? 'uncertain' : (status as Exclude<DeliveryStatus, 'queued' | 'sending'>),
    answer: isOpen ? RESTORED : lineIn(row.answer),
    standing: oneOf(suppressionReasons, row.standing),
  }
}

export function sourceRowIn({ addressId: id, at, ...names }: Row): KeptSource | undefined {
  const [time, source] = [timeIn(at), sourceFrom(names)]
  return matches(id, addressId) && time && source ? { addressId: id, at: time, source } : undefined
}

export function openingIn({ url, at, zone, openedAt }: Row): Opening | undefined {
  const [time, opened] = [timeIn(at, true), timeIn(openedAt)]
  const isAddress = typeof url === 'string' && parseOpenUrl(url) === url
  if (!isAddress || !time || !(openedAt === null || opened)) return undefined
  if (typeof zone !== 'string' || !isTimeZone(zone)) return undefined
  return { url, at: time, zone, openedAt: opened }
}

export function invitationIn(row: Row, ids: AddressIds): Invitation | undefined {
  const { id, announcement, addressId: theirs, email } = row
  const [issuedAt, expiresAt] = [timeIn(row.issuedAt), timeIn(row.expiresAt, true)]
  const [as, at] = [oneOf(invitationEnds, row.endedAs), timeIn(row.endedAt)]
  if (!matches(id, addressId) || !matches(announcement, announcementId)) return undefined
  if (!issuedAt || !expiresAt || (row.endedAs !== null && !(as && at))) return undefined
  // With the id of another address, whoever forgets that one would leave this in place.
  if (!isAddress(email) || ids.of(email) !== theirs) return undefined
  const common = { id, announcement, addressId: theirs, email, issuedAt, expiresAt }
  return { ...common, ...(as && at && { ended: { as, at } }) }
}

/** 32 bytes in base64url. */
export function publicKeyIn(row: Row | undefined): string | undefined {
  return matches(row?.publicKey, /^[\w-]{43}$/) ? row.publicKey : undefined
}

export function visitIn({ hour, kind: kindOf, number }: Row) {
  const [time, kind] = [hourIn(hour), oneOf(visitKinds, kindOf)]
  return time && kind && isFew(number) ? { hour: time, kind, number } : undefined
}

export function nameCountIn({ hour, kind: kindOf, name, number }: Row) {
  const [time, kind] = [hourIn(hour), oneOf(nameKinds, kindOf)]
  if (!time || !kind || !isFew(number)) return undefined
  if (name !== null && !(typeof name === 'string' && sourceName(name) === name)) return undefined
  const count: NameCount = { kind, name, number }
  return { hour: time, count }
}

function hourIn(value: unknown): Date | undefined {
  return isCount(value) && value * HOUR_MS <= Date.now() ? new Date(value * HOUR_MS) : undefined
}

/** More than anybody has in an hour, and so little that no sum of them is too large. */
const MANY = 1e9

const isFew = (value: unknown): value is number => isCount(value) && value <= MANY

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && parseEmail(value) === value
}

/** @param mayCome whether it may be later than now. */
function timeIn(value: unknown, mayCome = false): Date | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/.test(value)) return undefined
  const time = new Date(value)
  return time.getTime() >= 0 && (mayCome || time.getTime() <= Date.now()) ? time : undefined
}

/** One line, without control and format characters. */
export function lineIn(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  return value.slice(0, LONGEST_LINE).replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu, ' ')
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function matches(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value)
}

function oneOf<T extends string>(all: readonly T[], value: unknown): T | undefined {
  return all.find((one) => one === value)
}
