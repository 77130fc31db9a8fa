/** A value with a code: its other members are the data of that code. */
export interface Coded {
  readonly code: string
}

/**
 * Something is not done: no fault, and the operator can put it right. Each part of the house has
 * codes of its own; a face has the words.
 */
export class Refused<Why extends Coded = Coded> extends Error {
  override readonly name = 'Refused'
  readonly why: Why

  constructor(why: Why, options?: ErrorOptions) {
    super(why.code, options)
    this.why = why
  }
}

/** A face's words for each code of a union. */
export type Words<Why extends Coded> = {
  readonly [Code in Why['code']]: (why: WithCode<Why, Code>) => string
}

/** The member of a union that has this code, perhaps among others. */
type WithCode<Why extends Coded, Code> = Why extends unknown
  ? Code extends Why['code']
    ? Why
    : never
  : never

/** @param words for each code that there may be. */
export function inWords<Why extends Coded>(words: Words<Why>, why: Coded): string {
  return (
    (words as unknown as Readonly<Record<string, (why: Coded) => string>>)[why.code]?.(why) ??
    why.code
  )
}
