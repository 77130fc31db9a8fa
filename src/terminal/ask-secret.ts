import { exitCodes } from './exit-codes.ts'
import { OperatorError } from './operator-error.ts'

const BACKSPACE = ['\u007f', '\b']
const END = ['\r', '\n', '\u0004']
const CTRL_C = '\u0003'

/**
 * Asks for a secret on the terminal, which does not show it.
 *
 * @throws OperatorError where there is no terminal, or nothing was typed.
 */
export async function askSecret(question: string): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY)
    throw new OperatorError('A passphrase can be typed only on a terminal, and this is none.')
  // Before the question, so that text that is typed or pasted at once is not shown either.
  stdin.setRawMode(true).setEncoding('utf8').resume()
  stderr.write(question)
  let typed = ''
  try {
    // Another question may follow.
    for await (const part of stdin.iterator({ destroyOnReturn: false }) as AsyncIterable<string>)
      for (const character of part) {
        if (character === CTRL_C) process.exit(exitCodes.stopped)
        if (END.includes(character)) {
          if (typed === '') throw new OperatorError('Nothing was typed.')
          return typed
        }
        typed = BACKSPACE.includes(character) ? [...typed].slice(0, -1).join('') : typed + character
      }
    throw new OperatorError('Nothing was typed.')
  } finally {
    stdin.setRawMode(false).pause()
    stderr.write('\n')
  }
}
