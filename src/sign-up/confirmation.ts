import type { ConfirmationKeys, ConfirmationLink } from '../keys/confirmation-keys.ts'
import { type Consent, type Pending, saidNotMe, withNetwork } from '../people/pending.ts'
import { isLiftedByAnswer } from '../people/standing.ts'
import { isMailable, UNMAILABLE } from '../shared/mailable.ts'
import type {
  ConfirmationRequest,
  DecideLetter,
  Found,
  LetterDecision,
  PendingChange,
  PendingEnd,
} from '../store/outbox.ts'
import { brake } from './brake.ts'
import { endOfRequests, endsAt, lastAsked } from './confirmation-lifetime.ts'
import { isPausedAfter, roomIn } from './mailbox-room.ts'

const MOST_WRONG_CODES = 5

/** The marks of a letter that its receipt names. */
export interface LetterMarks {
  readonly messageId: string
  readonly letterDigest: string
}

export type MarksOf = (addressId: string, pending: Pending) => LetterMarks

/**
 * Decides whether a sign-up is answered by a letter, within the limits of `roomIn`. Subscribers are
 * not asked, and neither are addresses that complained. An unsubscribe ends a request,
 * but its letters still count: otherwise unsubscribing by each letter would bring letters without
 * end.
 *
 * @param marksOf of the letter that would leave.
 */
export function letterRule(marksOf: MarksOf) {
  const rule: DecideLetter = (request, found, now): LetterDecision => {
    const { standing, mailbox, isOnList } = found
    if (request.at < endOfRequests(now)) return {}
    if (standing ? !isLiftedByAnswer(standing.standing) : isOnList) return {}
    // An unsubscribe ends earlier requests.
    if (standing?.standing === 'unsubscribed' && standing.at > request.at) return {}
    const unanswered = unansweredIn(found, now)
    // A reader who said that it was not them gets no more letters.
    if (unanswered && saidNotMe(unanswered)) return {}
    const open = isOpen(found, now) ? unanswered : undefined
    const asked: Pending = open
      ? withLaterSigns(open, request)
      : begun(request, found.pending, unanswered)
    if (!isMailable(request.email)) return { pending: { ...asked, failure: UNMAILABLE } }
    const kept = asked === open ? {} : { pending: asked }
    // Those who wait for another letter may answer the one that a robot had sent to them.
    const later = open && !request.suspicion ? kept : {}
    const { isFull, dueAt, isReserved } = roomIn(mailbox, request, now)
    if (!isReserved) {
      // A new request without a letter would be useless, since its code would reach nobody.
      if (isFull) return !open && found.pending?.letters ? {} : kept
      if (dueAt) {
        // The address itself was just sent one. Another address of the mailbox, or a cut-off
        // letter, waits.
        const hasOne = open !== undefined && isPausedAfter(open, now) && request.tries === 0
        return hasOne ? kept : { ...later, dueAt }
      }
    }
    const held = found.counts && brake(request, found.counts, now)
    if (held) return { ...later, ...held }
    const sent = withNetwork(isReserved ? { ...asked, reservedAt: now } : asked, request.network)
    return { isSent: true, pending: withLetter(sent, request.addressId, now, marksOf) }
  }
  return rule
}

/**
 * A sign-up without signs of a robot lifts those of an earlier one, and its source and who brought
 * them count.
 */
function withLaterSigns(open: Pending, request: ConfirmationRequest): Pending {
  const { suspicion, source, broughtBy } = request
  if (!open.suspicion || suspicion) return withLaterLink(open, request)
  return { ...open, suspicion, source, broughtBy, isContested: undefined }
}

/**
 * A later link counts where there was none. Where two differ, nobody knows whose friend they are, since
 * anybody may have typed the address first; nor where a robot came later by a link. One that came
 * before, and whose request had to wait, is nothing.
 */
function withLaterLink(open: Pending, { broughtBy, suspicion, at }: ConfirmationRequest): Pending {
  if (!broughtBy || broughtBy === open.broughtBy) return open
  if (suspicion && !open.suspicion && at <= open.askedAt) return open
  const isContested = open.broughtBy !== undefined || (suspicion && !open.suspicion)
  return {
    ...open,
    broughtBy: open.broughtBy ?? broughtBy,
    isContested: isContested ? true : undefined,
  }
}

const unfailed = { failure: undefined, refusedAt: undefined }

/** The pending request before a letter leaves. */
export function withLetter(
  asked: Pending,
  addressId: string,
  now: Date,
  marksOf: MarksOf,
): Pending {
  const next = { ...asked, letters: asked.letters + 1, lastLetterAt: now, ...unfailed }
  return { ...next, ...marksOf(addressId, next) }
}

/**
 * @param known an earlier request. @param before the same if it is unanswered and void, since its
 *   reader unsubscribed: its letters still count.
 */
function begun(
  { email, at, shown, suspicion, source, broughtBy }: ConfirmationRequest,
  known: Pending | undefined,
  before: Pending | undefined,
): Pending {
  const { reservedAt } = known ?? {}
  const { letters = 0, lastLetterAt, networks } = before ?? {}
  const seen = suspicion ? { suspicion } : source && { source }
  return {
    email,
    askedAt: at,
    shown,
    letters,
    ...(lastLetterAt && { lastLetterAt }),
    ...(reservedAt && { reservedAt }),
    ...(networks && { networks }),
    ...seen,
    ...(broughtBy && { broughtBy }),
  }
}

/** The request, if it is neither confirmed nor over. */
function unansweredIn({ pending }: Found, now: Date): Pending | undefined {
  return pending && !pending.confirmedAt && endsAt(pending) > now ? pending : undefined
}

/** Whether a yes to the request would still count. */
export function isOpen(found: Found, now: Date): boolean {
  const { standing } = found
  const pending = unansweredIn(found, now)
  if (!pending) return false
  // An unsubscribe since then is newer. A bounce and a quarantine are no acts of the owner.
  const isNewer = standing && standing.at > lastAsked(pending)
  return !isNewer || ['pending', 'quarantined', 'bounced'].includes(standing.standing)
}

/** Tells whether a request is over by a time, and how it ended. */
export function endOf(now: Date) {
  return (pending: Pending): PendingEnd | undefined => {
    if (endsAt(pending) > now) return undefined
    if (pending.confirmedAt) return 'confirmed'
    return pending.listedAt ? 'stayed' : 'expired'
  }
}

const areBothPressed = ({ yesAt, noAt }: Pending) => Boolean(yesAt && noAt)

/** What the page behind the link says; `wrong` for a code that is not the letter's. */
export type ConfirmStep = 'ask' | 'code' | 'wrong' | 'done' | 'not-me' | 'ended'

export type Press = 'yes' | 'no' | { readonly code: string }

/** What the page shows. Changes nothing, since programs open every link in an e-mail. */
export function stepOf(found: Found, now: Date): ConfirmStep {
  const { pending, consent, standing } = found
  if (pending?.confirmedAt && !standing) return 'done'
  if (!pending || !isOpen(found, now)) return consent && !standing ? 'done' : 'ended'
  if (areBothPressed(pending)) return 'code'
  return pending.noAt ? 'not-me' : 'ask'
}

/** A step, and whether the address was left for news: the page was open then. */
export interface LinkStep {
  readonly step: ConfirmStep
  readonly isForNews: boolean
}

/** The same for the link of the current request: the link of an earlier one has ended. */
export function byLink(
  link: ConfirmationLink,
  decide: (found: Found, now: Date) => PendingChange<ConfirmStep>,
): (found: Found, now: Date) => PendingChange<LinkStep> {
  return (found, now) => {
    if (!isLinkOf(found, link)) return { result: { step: 'ended', isForNews: false } }
    const { result: step, ...change } = decide(found, now)
    const { isForNews = false } = found.pending?.shown ?? found.consent ?? {}
    return { ...change, result: { step, isForNews } }
  }
}

function isLinkOf({ pending, consent }: Found, { askedAt }: ConfirmationLink): boolean {
  const asked = pending?.askedAt ?? consent?.askedAt
  return asked !== undefined && new Date(asked).getTime() === askedAt
}

/**
 * The result of a pressed button. If both buttons are pressed, in any order, it may be a program
 * that tries everything: then only the code counts, which is in the letter and not on the page. A
 * no holds a subscriber from before; after both buttons, they have their earlier standing.
 *
 * @param from the client address, if receipts keep it.
 */
export function press(
  keys: ConfirmationKeys,
  addressId: string,
  pressed: Press,
  from?: string | undefined,
) {
  return (found: Found, now: Date): PendingChange<ConfirmStep> => {
    const step = stepOf(found, now)
    const { pending } = found
    if (!pending || step === 'ended') return { result: step }
    if (pressed === 'yes') return yes(found, pending, step, now, from)
    if (pressed === 'no') return no(found, pending, step, now)
    if (step === 'done') return { result: step }
    const wrongCodes = pending.wrongCodes ?? 0
    if (wrongCodes >= MOST_WRONG_CODES) return { result: 'wrong' }
    if (keys.isCode(pressed.code, addressId, pending.askedAt))
      return confirmed(pending, 'code', now, from)
    return { result: 'wrong', pending: { ...pending, wrongCodes: wrongCodes + 1 } }
  }
}

function yes(
  { standing }: Found,
  pending: Pending,
  step: ConfirmStep,
  now: Date,
  from: string | undefined,
): PendingChange<ConfirmStep> {
  if (step === 'ask') return confirmed({ ...pending, yesAt: now }, 'button', now, from)
  if (step === 'not-me')
    return {
      result: 'code',
      pending: { ...pending, yesAt: now },
      ...(standing?.standing === 'pending' && { isHeld: false }),
    }
  return { result: step }
}

function no(
  { isOnList, standing }: Found,
  pending: Pending,
  step: ConfirmStep,
  now: Date,
): PendingChange<ConfirmStep> {
  if (step === 'ask')
    return {
      result: 'not-me',
      pending: { ...pending, noAt: now },
      ...(isOnList && !standing && { isHeld: true }),
    }
  const isByButton = step === 'done' && pending.how === 'button' && endsAt(pending) > now
  if (!isByButton) return { result: step }
  const open = {
    ...pending,
    noAt: now,
    confirmedAt: undefined,
    how: undefined,
    confirmedFrom: undefined,
  }
  // Both buttons count as no answer, and a subscriber from before stays on the list without one.
  const isHeld = pending.listedAt === undefined
  return { result: 'code', pending: open, consent: null, isHeld }
}

function confirmed(
  pending: Pending,
  how: 'button' | 'code',
  now: Date,
  from: string | undefined,
): PendingChange<ConfirmStep> {
  const done = { ...pending, confirmedAt: now, how, ...(from && { confirmedFrom: from }) }
  return { result: 'done', pending: done, consent: receiptOf(done) }
}

/** The receipt of a confirmation: what the visitor saw, what they were sent, when they said yes. */
export function receiptOf(pending: Pending): Consent {
  const { shown, askedAt, listedAt, messageId = '', letterDigest = '' } = pending
  const { confirmedAt, how, confirmedFrom } = pending
  if (!confirmedAt || !how) throw new Error('This is not confirmed.')
  return {
    ...shown,
    askedAt: askedAt.toISOString(),
    ...(listedAt && { listedAt: listedAt.toISOString() }),
    messageId,
    letterDigest,
    confirmedAt: confirmedAt.toISOString(),
    how,
    ...(confirmedFrom && { confirmedFrom }),
  }
}
