import type { ConfirmationKeys, ConfirmationLink } from '../keys/confirmation-keys.ts'
import type { Press as Changes } from './changes.ts'
import { endsAt } from './confirmation-lifetime.ts'
import { isOpen } from './letter-rule.ts'
import type { Consent, Pending } from './pending.ts'
import type { Known } from './requests.ts'

const MOST_WRONG_CODES = 5

/** What somebody sees after a press, and what it changes. */
export interface PendingChange<T> extends Changes {
  readonly result: T
}

const areBothPressed = ({ yesAt, noAt }: Pending) => Boolean(yesAt && noAt)

/** What the page behind the link says; `wrong` for a code that is not the letter's. */
type ConfirmStep = 'ask' | 'code' | 'wrong' | 'done' | 'not-me' | 'ended'

export type Press = 'yes' | 'no' | { readonly code: string }

/** What the page shows. Changes nothing, since programs open every link in an e-mail. */
export function stepOf(found: Known, now: Date): ConfirmStep {
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
  decide: (found: Known, now: Date) => PendingChange<ConfirmStep>,
): (found: Known, now: Date) => PendingChange<LinkStep> {
  return (found, now) => {
    if (!isLinkOf(found, link)) return { result: { step: 'ended', isForNews: false } }
    const { result: step, ...change } = decide(found, now)
    const { isForNews = false } = found.pending?.shown ?? found.consent ?? {}
    return { ...change, result: { step, isForNews } }
  }
}

function isLinkOf({ pending, consent }: Known, { askedAt }: ConfirmationLink): boolean {
  const asked = pending?.askedAt ?? consent?.askedAt
  return asked !== undefined && new Date(asked).getTime() === askedAt
}

/**
 * The result of a pressed button. If both buttons are pressed, in any order, it may be a program
 * that tries everything: then only the code counts, which is in the letter and not on the page. A
 * no holds somebody who came on the list meanwhile; after both buttons, they have their earlier standing.
 *
 * @param from the client address, if receipts keep it.
 */
export function press(
  keys: ConfirmationKeys,
  addressId: string,
  pressed: Press,
  from?: string | undefined,
) {
  return (found: Known, now: Date): PendingChange<ConfirmStep> => {
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
  { standing }: Known,
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
  { isOnList, standing }: Known,
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
  return { result: 'code', pending: open, consent: null, isHeld: true }
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
  const { shown, askedAt, messageId = '', letterDigest = '' } = pending
  const { confirmedAt, how, confirmedFrom } = pending
  if (!confirmedAt || !how) throw new Error('This is not confirmed.')
  return {
    ...shown,
    askedAt: askedAt.toISOString(),
    messageId,
    letterDigest,
    confirmedAt: confirmedAt.toISOString(),
    how,
    ...(confirmedFrom && { confirmedFrom }),
  }
}
