import type { SendOutcome } from '../mail/mailer.ts'
import type { Pending } from '../store/pending.ts'

/**
 * What the end of sending a letter changes about who is pending. The letter was counted before it
 * was sent: one that surely has not left does not count, and one that may have left does.
 *
 * @param before what was kept before it was counted. @returns `undefined` where it left.
 */
export function afterSending(
  { kind, answer }: SendOutcome,
  before: Pending | undefined,
): ((pending: Pending) => Pending) | undefined {
  if (kind === 'accepted') return undefined
  if (kind === 'refused' || kind === 'uncertain')
    return (pending) => ({ ...pending, failure: answer })
  return (pending) => ({
    ...pending,
    letters: pending.letters - 1,
    lastLetterAt: before?.lastLetterAt,
    // What did not leave gives nobody more codes to try.
    wrongCodes: (before?.wrongCodes ?? 0) + (pending.wrongCodes ?? 0) || undefined,
    failure: answer,
  })
}
