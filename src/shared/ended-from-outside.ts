/**
 * The reason of a signal that the operator did not send by hand: the machine shuts down, or the
 * terminal has closed.
 */
export class EndedFromOutside extends Error {
  override readonly name = 'EndedFromOutside'
}
