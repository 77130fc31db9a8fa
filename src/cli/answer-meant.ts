import type { Extra } from '../people/extra.ts'
import { answerIn } from '../people/known-fields.ts'
import product from '../product/product.ts'
import { isAnswer } from '../shared/question.ts'
import { Misuse } from '../terminal/operator-error.ts'

/** Tells whether somebody gave the answer of `--answered`. @throws OperatorError for an empty one. */
export function answerMeant(wanted: string) {
  if (wanted.trim() === '') throw new Misuse('--answered needs an answer, such as --answered 80.')
  return (extra: Extra | undefined): boolean => {
    const answer = answerIn(extra)
    return answer !== undefined && isAnswer(answer, wanted, product.question?.kind)
  }
}
