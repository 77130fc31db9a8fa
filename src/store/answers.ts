import { LONGEST_ANSWER } from '../shared/question.ts'
import type { Extra } from './extra.ts'

/** Answers to the question that the page asks after a sign-up. */
export interface Answers {
  /**
   * Keeps what somebody on the list answered, instead of an earlier answer. Nothing is kept for
   * anybody else. The call takes as long whatever is kept.
   *
   * @param email as `parseEmail` returns it.
   * @param answer as `readAnswer` gives it; `undefined` keeps nothing.
   * @throws StoreUnavailable
   */
  keep(email: string, answer: string | undefined): Promise<void>

  /**
   * The same by the address id in a letter: for somebody who has confirmed, or is on the list and was
   * sent an announcement. @throws StoreUnavailable
   */
  keepFromLetter(addressId: string, answer: string): Promise<void>
}

/** What somebody answered, kept among their `Extra`. */
export function answerIn(extra: Extra | undefined): string | undefined {
  const answer = extra?.answer
  const isOne = typeof answer === 'string' && answer !== '' && !/\p{Cc}/u.test(answer)
  return isOne && answer.length <= LONGEST_ANSWER ? answer : undefined
}
