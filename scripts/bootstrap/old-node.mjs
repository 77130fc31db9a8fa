// What runs first, whatever Node there is, such as Debian 12's 18: this and what imports it at the top
// stay readable for that one. All else is imported when the Node is known to do.

/**
 * @param {string} version such as `20.19.0`
 * @returns {string | undefined} one line that says what is needed; nothing where this will do.
 */
export function tooOld(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return undefined
  return `Node 20.19 or newer is needed, and this is ${version}: https://nodejs.org/en/download`
}

/**
 * Runs the whole of a script, unless this Node is too old for it; what a person can put right is
 * one line.
 *
 * @param {() => Promise<void>} script
 */
export async function whereNodeWillDo(script) {
  const line = tooOld(process.versions.node)
  try {
    if (line === undefined) return await script()
    console.error(line)
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SetupError') throw error
    console.error(error.message)
  }
  process.exit(1)
}
