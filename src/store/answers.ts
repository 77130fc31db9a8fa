import { LONGEST_ANSWER } from '../shared/question.ts'
import type { Extra } from './extra.ts'
import type { StandingEntry } from './standing.ts'

/** Answers to the question that the page asks after a sign-up. */
export interface Answers {
  /**
   * Keeps what somebody on the list answered, instead of an earlier answer. Nothing is kept for
   * anybody else. The call takes as long whatever is kept.
   *
   * @param email as `parseEmail` returns it.
   * @param answer as `readAnswer` gives it; `undefined` keeps nothing.
   * @param signedUpAt of the sign-up that answers, as `add` gave it: nothing is kept where another one
   *   brought them. Left out where the operator answers.
   * @throws StoreUnavailable
   */
  keep(email: string, answer: string | undefined, signedUpAt?: Date): Promise<void>

  /**
   * The same by the address id in a letter: for somebody who has confirmed, or is on the list and was
   * sent an announcement. @throws StoreUnavailable
   */
  keepFromLetter(addressId: string, answer: string): Promise<void>
}

/**
 * Whether a sign-up brought somebody: they came with it, or it lifted their quarantine. One from before
 * they were erased did not, and none brought who is quarantined.
 *
 * @param listedAt the time of their record. @param known the row of their standing.
 */
export function isBroughtBy(
  signedUpAt: Date,
  listedAt: Date | undefined,
  known: StandingEntry | undefined,
): boolean {
  if (!listedAt || known?.standing === 'quarantined') return false
  const cameAt = known?.standing === 'subscribed' ? known.at : listedAt
  return cameAt.getTime() === signedUpAt.getTime()
}

/** What somebody answered, kept among their `Extra`. */
export function answerIn(extra: Extra | undefined): string | undefined {
  const answer = extra?.answer
  const isOne = typeof answer === 'string' && answer !== '' && !/\p{Cc}/u.test(answer)
  return isOne && answer.length <= LONGEST_ANSWER ? answer : undefined
}
