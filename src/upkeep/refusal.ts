import type { BackUpRefusals } from './back-up/refusals.ts'
import type { UpdateRefusals } from './update/refusals.ts'

/** Every reason why upkeep refuses a task, with the data that a person needs. */
export interface Refusals extends BackUpRefusals, UpdateRefusals {}

/** An error that the operator can put right. A face has the words, by `code`. */
export class Refusal<Code extends keyof Refusals = keyof Refusals> extends Error {
  override readonly name = 'Refusal'
  readonly code: Code
  readonly data: Refusals[Code]

  constructor(code: Code, data: Refusals[Code], options?: ErrorOptions) {
    super(code, options)
    this.code = code
    this.data = data
  }
}

/** A face's sentences for the codes of a table. */
export type Words<Codes> = { readonly [Code in keyof Codes]: (data: Codes[Code]) => string }
