import { type DocumentSnapshot, Timestamp } from '@google-cloud/firestore'
import { type Extra, extraFrom, mergeExtra } from '../extra.ts'
import { referralIn } from '../referral.ts'
import {
  isLiftedBySignUp,
  outranks,
  type Standing,
  type StandingEntry,
  standings,
} from '../standing.ts'
import { microseconds, type SignUps } from './records.ts'
import { timestampIn } from './stored-time.ts'

/**
 * The standing of an address, in one document by `addressId`. Each standing has a time of its own,
 * in microseconds. A visitor's browser cannot change this document, so a later sign-up lifts a
 * standing only on reading.
 */
export interface Known {
  readonly times: Readonly<Partial<Record<Standing, number>>>
  readonly details: Readonly<Partial<Record<Standing, string>>>
  readonly extra?: Extra | undefined
}

export function knownIn(document: DocumentSnapshot | undefined): Known {
  const times: Partial<Record<Standing, number>> = {}
  const details: Partial<Record<Standing, string>> = {}
  for (const standing of standings) {
    const at: unknown = document?.get(`${standing}At`)
    const detail: unknown = document?.get(`${standing}Detail`)
    const time = timestampIn(at) ?? (isNo(standing, at) ? document?.updateTime : undefined)
    if (time) times[standing] = microseconds(time)
    if (typeof detail === 'string') details[standing] = detail
  }
  return { times, details, extra: extraFrom(document?.get('extra')) }
}

/** An unreadable time of a departure counts as a departure, since it was written. */
const isNo = (standing: Standing, at: unknown) => standing !== 'subscribed' && at !== undefined

/**
 * Why an address is not mailed: the most severe standing that still holds.
 *
 * @param lastSignUp when a visitor last left it on the page.
 */
export function inForce(
  { times, details }: Known,
  lastSignUp: Timestamp | undefined,
): StandingEntry | undefined {
  const signedUp = signedUpAt(times, lastSignUp)
  for (const standing of standings.toReversed()) {
    const at = times[standing]
    if (standing === 'subscribed' || at === undefined) continue
    // At equal times, not mailing is the smaller mistake.
    if (isLiftedBySignUp(standing) && signedUp > at) continue
    const detail = details[standing]
    return { standing, at: dateOf(at), ...(detail !== undefined && { detail }) }
  }
  return undefined
}

/** Adds a standing; returns the same object if nothing changes. */
export function afterHearing(known: Known, heard: StandingEntry, signUps: SignUps = {}): Known {
  const { times, details } = known
  // An import lifts nothing; and an older standing does not apply to an earlier subscriber.
  const signedUp = signedUpAt(times, signUps.last ?? signUps.first)
  const stands =
    inForce(known, signUps.last) ??
    (signedUp > 0 ? { standing: 'subscribed' as const, at: dateOf(signedUp) } : undefined)
  const { standing, at, detail } = heard
  if (!stands || outranks(heard, stands))
    return {
      ...known,
      times: { ...times, [standing]: at.getTime() * 1000 },
      details: { ...details, ...(detail !== undefined && { [standing]: detail }) },
    }
  // The time of the sign-up is kept: an import may give the subscriber an earlier one, and then the
  // same departure, heard again, would prevail.
  if (stands.standing === 'subscribed' && times.subscribed === undefined)
    return { ...known, times: { ...times, subscribed: signedUp } }
  return known
}

export function withExtra(known: Known, extra: Extra | undefined): Known {
  return extra ? { ...known, extra: mergeExtra(known.extra, extra) } : known
}

/** The fields of the document. */
export function fieldsOf({ times, details, extra }: Known): Record<string, unknown> {
  return Object.fromEntries([
    ...Object.entries(times).map(([standing, at]) => [
      `${standing}At`,
      new Timestamp(Math.floor(at / 1e6), (at % 1e6) * 1000),
    ]),
    ...Object.entries(details).map(([standing, detail]) => [`${standing}Detail`, detail]),
    ...Object.entries(extra ? extraFields(extra) : {}),
  ])
}

/** The fields of an `Extra`. Who brought them is a field of its own too, so that it can be found. */
export function extraFields(extra: Extra): Record<string, string> {
  const { by } = referralIn(extra) ?? {}
  return { extra: JSON.stringify(extra), ...(by !== undefined && { broughtBy: by }) }
}

function signedUpAt(times: Known['times'], lastSignUp: Timestamp | undefined): number {
  return Math.max(times.subscribed ?? 0, lastSignUp ? microseconds(lastSignUp) : 0)
}

function dateOf(microseconds: number): Date {
  return new Date(Math.floor(microseconds / 1000))
}
