/** What those on the list who may be written to answered, as far as they did. */
export interface AnswerCounts {
  /** All of them. */
  readonly people: number
  readonly answered: number
  /** The most frequent first. */
  readonly answers: readonly { readonly answer: string; readonly people: number }[]
  /** How many gave an answer that is not among these, since there are too many different ones. */
  readonly others: number
}
