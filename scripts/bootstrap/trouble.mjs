/** What a person can put right: its message is all they need to read, so no stack is shown. */
export class Trouble extends Error {
  /** @override */
  name = 'Trouble'
}

/**
 * Runs the whole of a script and turns `Trouble` into its message and exit code 1.
 *
 * @param {() => Promise<void>} script
 */
export async function orSayWhy(script) {
  try {
    await script()
  } catch (error) {
    if (!(error instanceof Trouble)) throw error
    console.error(error.message)
    process.exit(1)
  }
}
