const TOOL = /(^|\/)(src\/(cli|operator)\/main\.[jt]s|bin\/opening-bell(\.mjs)?)$/
/** The commands that send by the lock, or wait for their time without it. */
const SENDING = ['announce', 'ask']

/**
 * Knows a run by how its process was started.
 *
 * @param words of the command line. @returns what the tool was told; `undefined` for any other process.
 */
export function runIn(words: readonly string[]): { command: string; args: string[] } | undefined {
  const tool = words.findIndex((word) => TOOL.test(word))
  const [command = '', ...args] = tool < 0 ? [] : words.slice(tool + 1)
  return SENDING.includes(command) ? { command, args } : undefined
}
