/** A mistake that the person can correct. Only its message is shown, no stack. */
export class SetupError extends Error {
  /** @override */
  name = 'SetupError'
}

/**
 * Runs the whole of a script and turns `SetupError` into its message and exit code 1.
 *
 * @param {() => Promise<void>} script
 */
export async function orSayWhy(script) {
  try {
    await script()
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}
