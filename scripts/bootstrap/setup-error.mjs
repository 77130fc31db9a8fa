/** A mistake that the person can correct. Only its message is shown, no stack. */
export class SetupError extends Error {
  /** @override */
  name = 'SetupError'
}
