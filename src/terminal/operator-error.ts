/** What an operator can put right; the message is all there is to say. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}
