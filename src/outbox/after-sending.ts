import type { SendOutcome } from '../mail/mailer.ts'
import type { Pending } from '../store/pending.ts'

/**
 * What the end of sending a letter changes about who is pending. The letter was counted before it
 * was sent: one that surely has not left does not count, and one that may have left does. A refused
 * one does not count for its mailbox, whose owner has nothing of it. It keeps its time and its network,
 * so that the next one to the address has to wait.
 *
 * Its code is good whatever was tried before, once it may have left: three letters bound what can be
 * tried, and one that did not leave gives nobody more codes to try.
 *
 * @param before what was kept before it was counted. @returns `undefined` where nothing changes.
 */
export function afterSending(
  { kind, answer }: SendOutcome,
  before: Pending | undefined,
): ((pending: Pending) => Pending) | undefined {
  if (kind === 'accepted')
    return before?.wrongCodes ? (pending) => ({ ...pending, wrongCodes: undefined }) : undefined
  if (kind === 'refused')
    return (pending) => ({
      ...pending,
      letters: pending.letters - 1,
      reservedAt: before?.reservedAt,
      refusedAt: new Date(),
      failure: answer,
    })
  if (kind === 'uncertain')
    return (pending) => ({ ...pending, wrongCodes: undefined, failure: answer })
  return (pending) => ({
    ...pending,
    letters: pending.letters - 1,
    lastLetterAt: before?.lastLetterAt,
    reservedAt: before?.reservedAt,
    networks: before?.networks,
    failure: answer,
  })
}
