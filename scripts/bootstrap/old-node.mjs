// What runs first, whatever Node there is, such as Debian 12's 18: this and what imports it at the top
// stay readable for that one. All else is imported when the Node is known to do.

const NEEDED = { major: 20, minor: 19 }

/**
 * @param {string} version such as `20.19.0`
 * @returns {string | undefined} one line that says what is needed; nothing where this will do.
 */
export function tooOld(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > NEEDED.major || (major === NEEDED.major && minor >= NEEDED.minor)) return undefined
  return `Node ${NEEDED.major}.${NEEDED.minor} or newer is needed, and this is ${version}: https://nodejs.org/en/download`
}

/**
 * Runs the whole of a script, unless this Node is too old for it; what a person can put right is
 * one line.
 *
 * @param {() => Promise<void>} script
 */
export function whereNodeWillDo(script) {
  const line = tooOld(process.versions.node)
  if (line === undefined) {
    import('./setup-error.mjs').then(({ orSayWhy }) => orSayWhy(script))
    return
  }
  console.error(line)
  process.exitCode = 1
}
