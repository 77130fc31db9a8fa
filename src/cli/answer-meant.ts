import type { Extra } from '../people/extra-fields.ts'

import product from '../product/product.ts'
import { askOf } from '../shared/product.ts'
import { isReply, replyIn } from '../shared/reply.ts'
import { Misuse } from '../terminal/operator-error.ts'

/** Tells whether somebody gave the answer of `--answered`. @throws OperatorError for an empty one. */
export function answerMeant(wanted: string) {
  if (wanted.trim() === '') throw new Misuse('--answered needs an answer, such as --answered 80.')
  const kind = askOf(product)?.kind
  return (extra: Extra | undefined): boolean => {
    const answer = replyIn(extra)
    return answer !== undefined && isReply(answer, wanted, kind)
  }
}
