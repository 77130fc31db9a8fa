import type { AddressIds } from '../../keys/address-id.ts'
import { isBlank, isOnList, nobody, type Person, whyNotMailed } from '../../people/person.ts'
import { asOf, personIn, unreadable } from '../../people/stored.ts'
import { parseEmail } from '../../shared/email.ts'
import { languageCode } from '../../shared/language-code.ts'
import { isCount, objectIn, storedTime } from '../../shared/stored-json.ts'
import { deliveryStatuses, suppressionReasons } from '../delivery-ledger.ts'
import { RESTORED } from './become-list.ts'

/*
 * Checks the rows of a copy, which anybody may have made. Each function gives `undefined` for a row that no
 * store of ours writes. `time` is the latest that a row may have: a later sign-up stays out; a later
 * departure or delivery is kept, with that time.
 */

export interface CopiedPerson {
  readonly addressId: string
  readonly person: Person
}

type Row = Readonly<Record<string, unknown>>

const addressId = /^[\w-]{22}$/
const announcementId = /^[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?$/
const LONGEST_LINE = 1000
/**
 * A person whose every sign-up is later stays out; what they said no to is kept. A no that cannot be
 * read is one.
 *
 * @param time of a copy that is not believed.
 */
export function personRowIn(
  { id, data }: Row,
  ids: AddressIds,
  time?: Date,
): CopiedPerson | undefined {
  if (!matches(id, addressId)) return undefined
  const whole = readable(data)
  const isWhole = whole !== unreadable && (whole.email === undefined || isAddress(whole.email))
  const found = isWhole ? whole : noesIn(data, time ?? new Date())
  // With the id of another address, it would be that one's no.
  if (!found || (found.email !== undefined && ids.of(found.email) !== id)) return undefined
  const person = time ? asOf(found, time) : found
  const isLost = isOnList(found) && !isOnList(person) && !whyNotMailed(person)
  return isLost || isBlank(person) ? undefined : { addressId: id, person }
}

/** A request to confirm that cannot be read stays out alone. */
function readable(data: unknown): Person {
  const whole = personIn(data)
  if (whole !== unreadable) return whole
  const { request: _, pending: __, ...rest } = objectIn(data) ?? {}
  return personIn(rest)
}

/** What somebody said no to, of whom the rest cannot be read. */
function noesIn(data: unknown, at: Date): Person | undefined {
  const alone = personIn({ noes: objectIn(data)?.noes, fields: {} })
  if (alone === unreadable) return { ...nobody, noes: { unsubscribed: { at } } }
  return Object.keys(alone.noes).length > 0 ? alone : undefined
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

const whole = (column: string) =>
  `iif(${column} BETWEEN -${MOST_NUMBER} AND ${MOST_NUMBER}, ${column}, NULL) AS ${column}`

/** The deliveries of an announcement, without a number that is too large for JavaScript. */
export const copiedDeliveries = `
  SELECT ${whole('number')}, ${whole('tries')}, status, changedAt, answer, standing, language,
    persons.id AS addressId
  FROM copy.deliveries LEFT JOIN copy.persons USING (number) WHERE announcement = ?`

export type CopiedDelivery = NonNullable<ReturnType<typeof deliveryIn>>

/**
 * A delivery that was open when the copy was made may have been sent since: it is `uncertain`, and
 * counts as tried. Without an address id it leads to nobody, as once they were forgotten; its number is
 * that of the copy.
 */
export function deliveryIn(row: Row, asOf = new Date()) {
  const { number, tries, addressId: id } = row
  const status = oneOf(deliveryStatuses, row.status)
  if (!status || !isFew(tries) || !Number.isInteger(number)) return undefined
  if (Math.abs(Number(number)) > MOST_NUMBER) return undefined
  const isOpen = status === 'queued' || status === 'sending'
  return {
    number: Number(number),
    addressId: status !== 'forgotten' && matches(id, addressId) ? id : undefined,
    changedAt: pastIn(row.changedAt, asOf),
    tries: isOpen ? Math.max(1, tries) : tries,
    status: isOpen ? ('uncertain' as const) : status,
    isOpen,
    answer: isOpen ? RESTORED : lineIn(row.answer),
    standing: oneOf(suppressionReasons, row.standing),
    language: languageCode(row.language),
  }
}

/** Small enough that no sum is too large. */
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
