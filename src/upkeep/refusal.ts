import type { BackUpRefusals } from './back-up/refusals.ts'
import type { UpdateRefusals } from './update/refusals.ts'

/** Each reason for which upkeep does not do what it was asked to, with what a person needs to know. */
export interface Refusals extends BackUpRefusals, UpdateRefusals {}

/** What an operator can put right. A face has the words, by `code`. */
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

/** What a face has for the codes of a table: a sentence each. */
export type Words<Codes> = { readonly [Code in keyof Codes]: (data: Codes[Code]) => string }
