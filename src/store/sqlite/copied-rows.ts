import { type AddressIds, isAddressId } from '../../keys/address-id.ts'
import { isBlank, isOnList, nobody, type Person, whyNotMailed } from '../../people/person.ts'
import { asOf, personIn, unreadable } from '../../people/stored.ts'
import { parseEmail } from '../../shared/email.ts'
import { languageCode } from '../../shared/language-code.ts'
import { plainLine } from '../../shared/plain-line.ts'
import {
  isCount,
  isText,
  objectIn,
  oneOf,
  only,
  type Read,
  reader,
  storedTime,
} from '../../shared/stored-json.ts'
import {
  type DeliveryStatus,
  deliveryStatuses,
  type SuppressionReason,
  suppressionReasons,
} from '../delivery-ledger.ts'
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

const announcementId = /^[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?$/
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
  if (!isAddressId(id)) return undefined
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

/** One line of what others wrote, without control and format characters. */
const lineIn: Read<string> = (stored) => (isText(stored) ? plainLine(stored, 1000) : undefined)

const announcement = reader<{ id: string; subject: string; digest: string }>({
  id: only((value): value is string => isText(value) && announcementId.test(value)),
  ...{ subject: lineIn, digest: lineIn },
})

/** Without what follows from the list that it comes into. */
export function announcementIn(row: Row, asOf = new Date()) {
  const read = announcement(row)
  return read && { ...read, begunAt: pastIn(row.begunAt, asOf) }
}

/** Larger than any list, and twice it is a safe integer. */
const MOST_NUMBER = 2 ** 51

/** The deliveries of an announcement. A number with a point is never too large for JavaScript to read. */
export const copiedDeliveries = `
  SELECT number + 0.0 AS number, tries + 0.0 AS tries, status, changedAt, answer, standing, language,
    persons.id AS addressId
  FROM copy.deliveries LEFT JOIN copy.persons USING (number) WHERE announcement = ?`

export type CopiedDelivery = NonNullable<ReturnType<typeof deliveryIn>>

/** Small enough that no sum is too large. */
const MANY = 1e9

const isNumber = (value: unknown): value is number =>
  Number.isInteger(value) && Math.abs(Number(value)) <= MOST_NUMBER

interface DeliveryRow {
  readonly number: number
  readonly tries: number
  readonly status: DeliveryStatus
  readonly addressId?: string
  readonly answer?: string
  readonly standing?: SuppressionReason
  readonly language?: string
}

const delivery = reader<DeliveryRow>(
  {
    number: only(isNumber),
    tries: only((value): value is number => isCount(value) && value <= MANY),
    status: oneOf(deliveryStatuses),
  },
  {
    addressId: only(isAddressId),
    ...{ answer: lineIn, standing: oneOf(suppressionReasons), language: languageCode },
  },
)

/**
 * A delivery that was open when the copy was made may have been sent since: it is `uncertain`, and
 * counts as tried. Without an address id it leads to nobody, as once they were forgotten; its number is
 * that of the copy.
 */
export function deliveryIn(row: Row, asOf = new Date()) {
  const read = delivery(row)
  if (!read) return undefined
  const { status, tries } = read
  const isOpen = status === 'queued' || status === 'sending'
  return {
    ...read,
    ...(status === 'forgotten' && { addressId: undefined }),
    ...(isOpen && { status: 'uncertain' as const, tries: Math.max(1, tries), answer: RESTORED }),
    ...{ changedAt: pastIn(row.changedAt, asOf), isOpen },
  }
}

/** Reads the time of something that did happen: an invalid or later time becomes `asOf`. */
function pastIn(value: unknown, asOf: Date): Date {
  const time = storedTime(value)
  return time && time <= asOf ? time : asOf
}

function isAddress(value: unknown): value is string {
  return isText(value) && parseEmail(value) === value
}
