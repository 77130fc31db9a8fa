import { isMailable, UNMAILABLE } from '../shared/mailable.ts'
import { brake } from './brake.ts'
import { endOfRequests, endsAt, lastAsked } from './confirmation-lifetime.ts'
import { isPausedAfter, mailboxLimit } from './mailbox-limit.ts'
import { type Pending, saidNotMe, withNetwork } from './pending.ts'
import { creditOf } from './request.ts'
import type { ConfirmationRequest, DecideLetter, Known, LetterDecision } from './requests.ts'
import { isLiftedByAnswer } from './standing.ts'

/** The marks of a letter that its receipt names. */
interface LetterMarks {
  readonly messageId: string
  readonly letterDigest: string
}

export type MarksOf = (addressId: string, pending: Pending) => LetterMarks

/**
 * Decides whether a sign-up is answered by a letter, within the limits of `mailboxLimit`. Subscribers are
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
    // The letter that it asks for has left meanwhile.
    const isDone = request.tries === 0 && open?.lastLetterAt && request.at < open.lastLetterAt
    if (isDone) return kept
    const { isFull, dueAt, isReserved } = mailboxLimit(mailbox, request, now)
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
 * A sign-up without signs of a robot lifts those of an earlier one, and its source and who referred
 * them count.
 */
function withLaterSigns(open: Pending, request: ConfirmationRequest): Pending {
  const { suspicion, source, fields, referredBy, isContested } = request
  if (!open.suspicion || suspicion) return withLaterLink(open, request)
  return { ...open, suspicion, source, fields, referredBy, isContested }
}

function withLaterLink(open: Pending, request: ConfirmationRequest): Pending {
  const { referredBy, isContested } = creditOf(open, { ...request, askedAt: request.at })
  const isSame = referredBy === open.referredBy && isContested === open.isContested
  return isSame ? open : { ...open, referredBy, isContested }
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
  { email, at, shown, suspicion, source, fields, referredBy, isContested }: ConfirmationRequest,
  known: Pending | undefined,
  before: Pending | undefined,
): Pending {
  const { reservedAt } = known ?? {}
  const { letters = 0, lastLetterAt, networks } = before ?? {}
  const seen = suspicion ? { suspicion } : { ...(source && { source }), ...(fields && { fields }) }
  return {
    email,
    askedAt: at,
    shown,
    letters,
    ...(lastLetterAt && { lastLetterAt }),
    ...(reservedAt && { reservedAt }),
    ...(networks && { networks }),
    ...seen,
    ...(referredBy && { referredBy }),
    ...(isContested && { isContested }),
  }
}

/** The request, if it is neither confirmed nor over. */
function unansweredIn({ pending }: Known, now: Date): Pending | undefined {
  return pending && !pending.confirmedAt && endsAt(pending) > now ? pending : undefined
}

/** Whether a yes to the request would still count. */
export function isOpen(found: Known, now: Date): boolean {
  const { standing } = found
  const pending = unansweredIn(found, now)
  if (!pending) return false
  // An unsubscribe since then is newer. A bounce and a quarantine are no acts of the owner.
  const isNewer = standing && standing.at > lastAsked(pending)
  return !isNewer || ['pending', 'quarantined', 'bounced'].includes(standing.standing)
}
