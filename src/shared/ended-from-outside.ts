/**
 * The reason of a signal to stop that no operator gave by hand: the machine goes down, or the terminal
 * is gone.
 */
export class EndedFromOutside extends Error {
  override readonly name = 'EndedFromOutside'
}
