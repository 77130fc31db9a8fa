/** An error that the operator can put right; its message says everything. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}
