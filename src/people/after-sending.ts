import type { Pending } from './pending.ts'

/** How sending a letter ended. */
export interface SendEnd {
  readonly kind: 'accepted' | 'refused' | 'deferred' | 'uncertain' | 'unsent' | 'unusable'
  /** The mail server's answer, without addresses. */
  readonly answer: string
}

/**
 * What the end of sending a letter changes about a pending sign-up. The letter was counted before
 * it was sent: a letter that surely has not left does not count, and one that may have left does. A
 * refused letter does not count for its mailbox, whose owner did not get it. It keeps its time and
 * its network, so that the next letter to the address has to wait.
 *
 * Once the letter may have left, its code counts no earlier tries: three letters limit how many
 * codes can be tried, and a letter that did not leave allows no more tries.
 *
 * @param before the pending sign-up before the letter was counted. @returns `undefined` for no
 *   change.
 */
export function afterSending(
  { kind, answer }: SendEnd,
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
