import type { ConfirmationKeys } from '../keys/confirmation-keys.ts'
import type {
  ConfirmationRequest,
  DecideLetter,
  Found,
  LetterDecision,
  PendingChange,
  PendingEnd,
} from '../store/outbox.ts'
import type { Pending } from '../store/pending.ts'
import { isLiftedBySignUp } from '../store/standing.ts'
import { receiptOf } from './consent.ts'

const MINUTE_MS = 60_000
/** How long a letter holds. */
export const HOLDS_DAYS = 14
const HOLDS_MS = HOLDS_DAYS * 24 * 60 * MINUTE_MS
const PAUSE_MS = 15 * MINUTE_MS
const MOST_LETTERS = 3
const MOST_WRONG_CODES = 5

/** What a letter has that its receipt names. */
export interface LetterMarks {
  readonly messageId: string
  readonly letterDigest: string
}

/**
 * Decides whether a sign-up is answered by a letter: to one mailbox, by its canonical form, one in
 * fifteen minutes and three while pending. Nobody who is on the list is asked, nor whose mail came
 * back or who complained.
 *
 * @param marksOf of the letter that would leave.
 */
export function letterRule(marksOf: (addressId: string, pending: Pending) => LetterMarks) {
  const rule: DecideLetter = (request, found, now): LetterDecision => {
    const { standing, mailbox, isOnList } = found
    if (now.getTime() - request.at.getTime() > HOLDS_MS) return {}
    if (standing ? !isLiftedBySignUp(standing.standing) : isOnList) return {}
    const open = isOpen(found, now) ? found.pending : undefined
    // Whoever says that it was not them is left in peace.
    if (open?.noAt && !open.yesAt) return {}
    const asked: Pending = open ?? begun(request)
    const others = mailbox.filter((one) => !one.confirmedAt && endsAt(one) > now)
    if (others.reduce((sum, one) => sum + one.letters, 0) >= MOST_LETTERS)
      return open ? {} : { pending: asked }
    const last = Math.max(...mailbox.map(({ lastLetterAt }) => Number(lastLetterAt ?? 0)), 0)
    if (now.getTime() < last + PAUSE_MS) {
      // Whoever was sent one has it; another address of the mailbox, or a letter that was cut short, waits.
      const hasOne = asked.letters > 0 && request.tries === 0
      return hasOne ? {} : { dueAt: new Date(last + PAUSE_MS) }
    }
    const next = { ...asked, letters: asked.letters + 1, lastLetterAt: now, failure: undefined }
    return { isSent: true, pending: { ...next, ...marksOf(request.addressId, next) } }
  }
  return rule
}

function begun({ email, at, shown, source }: ConfirmationRequest): Pending {
  return { email, askedAt: at, shown, ...(source && { source }), letters: 0 }
}

/** Whether a yes to what was asked would still count. */
function isOpen({ pending, standing }: Found, now: Date): boolean {
  if (!pending || pending.confirmedAt || endsAt(pending) <= now) return false
  // Who left since then said so later.
  const isNewer = standing && standing.at > lastAsked(pending)
  return standing?.standing === 'pending' || !isNewer
}

function lastAsked({ askedAt, lastLetterAt = askedAt }: Pending): Date {
  return lastLetterAt > askedAt ? lastLetterAt : askedAt
}

/** Until when what was asked holds. */
export function endsAt(pending: Pending): Date {
  return new Date(lastAsked(pending).getTime() + HOLDS_MS)
}

/** What is over by a moment, and how it ended. */
export function endOf(now: Date) {
  return (pending: Pending): PendingEnd | undefined => {
    if (endsAt(pending) > now) return undefined
    return pending.confirmedAt ? 'confirmed' : 'expired'
  }
}

const areBothPressed = ({ yesAt, noAt }: Pending) => Boolean(yesAt && noAt)

/** What the page behind the link says; `wrong` for a code that is not the letter's. */
export type ConfirmStep = 'ask' | 'code' | 'wrong' | 'done' | 'not-me' | 'ended'

export type Press = 'yes' | 'no' | { readonly code: string }

/** What a look at the page shows. Changes nothing: programs look at every link in a mail. */
export function stepOf(found: Found, now: Date): ConfirmStep {
  const { pending, consent, standing } = found
  if (pending?.confirmedAt && !standing) return 'done'
  if (!pending || !isOpen(found, now)) return consent && !standing ? 'done' : 'ended'
  if (areBothPressed(pending)) return 'code'
  return pending.noAt ? 'not-me' : 'ask'
}

/**
 * What comes of a press. Whoever presses both buttons may be a program that tries everything there
 * is, in whatever order: then only the code counts, which stands in the letter and not behind it.
 */
export function press(keys: ConfirmationKeys, addressId: string, pressed: Press) {
  return (found: Found, now: Date): PendingChange<ConfirmStep> => {
    const step = stepOf(found, now)
    const { pending } = found
    if (!pending || step === 'ended') return { result: step }
    if (pressed === 'yes') return yes(pending, step, now)
    if (pressed === 'no') return no(pending, step, now)
    if (step === 'done') return { result: step }
    const wrongCodes = pending.wrongCodes ?? 0
    if (wrongCodes >= MOST_WRONG_CODES) return { result: 'wrong' }
    if (keys.isCode(pressed.code, addressId, pending.askedAt))
      return confirmed(pending, 'code', now)
    return { result: 'wrong', pending: { ...pending, wrongCodes: wrongCodes + 1 } }
  }
}

function yes(pending: Pending, step: ConfirmStep, now: Date): PendingChange<ConfirmStep> {
  if (step === 'ask') return confirmed({ ...pending, yesAt: now }, 'button', now)
  if (step === 'not-me') return { result: 'code', pending: { ...pending, yesAt: now } }
  return { result: step }
}

function no(pending: Pending, step: ConfirmStep, now: Date): PendingChange<ConfirmStep> {
  if (step === 'ask') return { result: 'not-me', pending: { ...pending, noAt: now } }
  const isByButton = step === 'done' && pending.how === 'button' && endsAt(pending) > now
  if (!isByButton) return { result: step }
  const open = { ...pending, noAt: now, confirmedAt: undefined, how: undefined }
  return { result: 'code', pending: open, consent: null }
}

function confirmed(
  pending: Pending,
  how: 'button' | 'code',
  now: Date,
): PendingChange<ConfirmStep> {
  const done = { ...pending, confirmedAt: now, how }
  return { result: 'done', pending: done, consent: receiptOf(done) }
}
