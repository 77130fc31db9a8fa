import type { Brake } from '../shared/held-letters.ts'
import { endOf, type PendingEnd } from './confirmation-lifetime.ts'
import { isHeldByLetter } from './erase-quarantined.ts'
import { type KnownFields, withoutNamed } from './known-fields.ts'
import type { LetterCounts } from './letter-counts.ts'
import type { Pending, PendingData, Said } from './pending.ts'
import type { Person } from './person.ts'
import { type Line, placeInLine } from './place-in-line.ts'
import { type Asked, type Request, together } from './request.ts'
import type { StandingEntry } from './standing.ts'

/*
 * That an address was left, and a letter has to ask its owner. A person has one request at most, however
 * often and by whomever their address is left.
 */

/**
 * An address was left. Neither who typed it first nor who typed it last decides for everybody.
 *
 * @param dueAt when its letter is.
 */
export function ask(one: Person, email: string, asked: Asked, at: Date, dueAt = at): Person {
  if (one.forgottenAt && at <= one.forgottenAt) return one
  const { isCrowd, network, ...said } = asked
  const fresh: Request = {
    ...said,
    askedAt: at,
    ...(network !== undefined && { networks: [network] }),
    line: placeInLine(said.suspicion, isCrowd),
    dueAt,
    tries: 0,
  }
  if (isLeft(one, fresh)) return one
  const { request: first } = one
  return { ...one, email, request: first && !isLeft(one, first) ? together(first, fresh) : fresh }
}

/** Whether its reader unsubscribed since. */
const isLeft = ({ noes }: Person, { askedAt }: Request): boolean =>
  noes.unsubscribed !== undefined && noes.unsubscribed.at > askedAt

/** A request as a letter is decided by it. */
export interface ConfirmationRequest extends Said, Pick<Asked, 'network'> {
  readonly email: string
  readonly addressId: string
  readonly at: Date
  /** How often its letter was given to be sent. */
  readonly tries: number
}

/** The data of an address for a decision. */
export interface Known extends KnownFields {
  readonly pending: Pending | undefined
  /** All requests that had letters to the same mailbox, with this one. */
  readonly mailbox: readonly Pending[]
  readonly isOnList: boolean
  readonly standing: StandingEntry | undefined
  /** Only for the decision on a letter. */
  readonly counts?: LetterCounts
}

export interface LetterDecision {
  /** The new pending request; left out, nothing changes. */
  readonly pending?: Pending
  readonly isSent?: boolean
  /** When the request is looked at again, if nothing is sent; left out, it is done. */
  readonly dueAt?: Date
  /** The reason why it is held until then; others may go ahead of it. */
  readonly waitsFor?: Brake
}

export type DecideLetter = (request: ConfirmationRequest, found: Known, now: Date) => LetterDecision

/**
 * Decides on the letter of a request, for each network that it was asked from, the last one first: a
 * stranger who left the address too, from a network that has to wait, keeps no letter from its owner.
 */
export function decideFor(
  decide: DecideLetter,
  { askedAt, networks, line: _, dueAt: __, waitsFor: ___, ...said }: Request,
  who: Pick<ConfirmationRequest, 'email' | 'addressId'>,
  found: Known,
  countsOf: (network: string | undefined) => LetterCounts,
  now: Date,
): { readonly request: ConfirmationRequest; readonly decision: LetterDecision } {
  const asking = networks?.length ? networks.toReversed() : [undefined]
  const all: { readonly request: ConfirmationRequest; readonly decision: LetterDecision }[] = []
  for (const network of asking) {
    const request = { ...said, ...who, at: askedAt, network }
    const decision = decide(request, { ...found, counts: countsOf(network) }, now)
    if (decision.isSent) return { request, decision }
    all.push({ request, decision })
  }
  const dueOf = ({ decision }: (typeof all)[number]) => Number(decision.dueAt ?? Infinity)
  return all.reduce((one, other) => (dueOf(other) < dueOf(one) ? other : one))
}

/** What a decision makes of the request. @param leaseMs until a letter that was given is due again. */
export function decided(
  { request, ...one }: Person,
  { pending, isSent, dueAt, waitsFor }: LetterDecision,
  now: Date,
  leaseMs: number,
): Person {
  const after = pending ? withPending(one, pending) : one
  if (!request) return after
  if (isSent) {
    const { waitsFor: _, ...given } = request
    const until = new Date(now.getTime() + leaseMs)
    return { ...after, request: { ...given, tries: request.tries + 1, dueAt: until } }
  }
  if (!dueAt) return after
  // Others go ahead of one that is held.
  const line = (waitsFor ? Math.max(request.line, 1) : request.line) as Line
  return { ...after, request: { ...request, line, dueAt, waitsFor } }
}

/** How sending a letter ended. */
interface LetterEnd {
  /** Of the request as it was given. */
  readonly tries: number
  /** Changes the pending request; left out, nothing changes. One that is gone stays gone. */
  readonly change?: ((pending: Pending) => Pending) | undefined
  /** When it is tried again, behind those that were not tried; left out, it is done. */
  readonly dueAt?: Date | undefined
}

export interface ClaimedLetter {
  readonly request: ConfirmationRequest
  readonly pending: Pending
  readonly before: Pending | undefined
}

export interface SettledLetter extends Omit<LetterEnd, 'tries'> {
  readonly request: Pick<ConfirmationRequest, 'addressId' | 'tries'>
}

export function settled(one: Person, { tries, change, dueAt }: LetterEnd): Person {
  const { email, pending, request } = one
  const isKept = change && pending && email !== undefined
  const after = isKept ? withPending(one, change({ email, ...pending })) : one
  if (!request) return after
  // Somebody without signs left it while the letter was on its way that a robot asked for.
  const isOther = after.pending?.suspicion !== undefined && request.suspicion === undefined
  if (!dueAt && isOther)
    return { ...after, request: { ...request, dueAt: request.askedAt, tries: 0 } }
  if (!dueAt) return withoutRequest(after)
  // Given to another process since: the end of that one counts.
  if (request.tries !== tries + 1) return after
  return { ...after, request: { ...request, dueAt, line: Math.max(request.line, 1) as Line } }
}

/** The operator releases a letter that is held. */
export function released({ request, ...one }: Person, brake: Brake, now: Date): Person {
  if (request?.waitsFor !== brake) return request ? { ...one, request } : one
  const { waitsFor: _, ...others } = request
  return { ...one, request: { ...others, dueAt: now } }
}

export function withPending(one: Person, { email, ...pending }: Pending): Person {
  return { ...one, email, pending }
}

export const withoutRequest = ({ request: _, ...one }: Person): Person => one
export const withoutPending = ({ pending: _, ...one }: Person): Person => one

/** Erases a request that is over. @returns how it ended; one that holds its address is not erased. */
export function swept(
  one: Person,
  now: Date,
): { readonly after: Person; readonly end?: PendingEnd | 'held' } {
  const end = one.pending && endOf(one.pending, now)
  if (!end) return { after: one }
  return isHeldByLetter(one) ? { after: one, end: 'held' } : { after: withoutPending(one), end }
}

/** A copy that is not trusted sends no letter: those who wait for one have yet to confirm, and are not asked. */
export function withoutLetter(one: Person): Person {
  const { request } = one
  if (!request) return one
  const { line: _, dueAt: __, tries: ___, waitsFor: ____, ...asked } = request
  const pending: PendingData = { ...asked, letters: 0 }
  return { ...withoutRequest(one), pending: one.pending ?? pending }
}

/** Without those of who referred somebody that `isGone` names. */
export function withoutOwner(one: Person, isGone: (addressId: string) => boolean): Person {
  const { request, pending, fields } = one
  const names = (asked: Pick<Asked, 'referredBy'> | undefined) =>
    asked?.referredBy !== undefined && isGone(asked.referredBy)
  return {
    ...one,
    ...(request && names(request) && { request: { ...request, referredBy: undefined } }),
    ...(pending && names(pending) && { pending: { ...pending, referredBy: undefined } }),
    fields: withoutNamed(fields, isGone),
  }
}
