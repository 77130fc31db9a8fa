const TOOL = /(^|\/)(src\/cli\/main\.[jt]s|bin\/opening-bell(\.mjs)?)$/
/** The commands that send with the lock, or wait for a wave without it. */
const SENDING = ['announce', 'ask']

/**
 * Recognises a run by the command line of its process.
 *
 * @param words of the command line. @returns the tool's command; `undefined` for other processes.
 */
export function runIn(words: readonly string[]): { command: string; args: string[] } | undefined {
  const tool = words.findIndex((word) => TOOL.test(word))
  const [command = '', ...args] = tool < 0 ? [] : words.slice(tool + 1)
  return SENDING.includes(command) ? { command, args } : undefined
}
