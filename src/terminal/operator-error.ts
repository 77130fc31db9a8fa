/** An error that the operator can put right; its message says everything. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError'
}

/** The command was called wrongly: with options that do not go together, or a value that is none. */
export class Misuse extends OperatorError {
  override readonly name = 'Misuse'
}
