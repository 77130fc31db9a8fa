import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Starts a program that ends with this process at the latest, however a test tool ends that. */
export function startProgram(command: string, args: readonly string[]) {
  const program = spawn(command, args)
  const end = () => program.kill('SIGKILL')
  process.on('exit', end)
  program.on('exit', () => process.off('exit', end))
  return program
}

/**
 * Waits until a program prints what is looked for, and keeps reading after that, so that the
 * program never stands before a full pipe.
 *
 * @returns the match. @throws what it printed, when it ends before.
 */
export function outputSays(
  program: ChildProcessWithoutNullStreams,
  pattern: RegExp,
): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let output = ''
    for (const stream of [program.stdout, program.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
        const match = pattern.exec(output)
        if (match) resolve(match)
      })
    program.on('error', reject)
    program.on('exit', () => reject(new Error(`It ended, having said:\n${output}`)))
  })
}

/** Resolves when the program is gone. */
export async function endOf(program: ChildProcessWithoutNullStreams): Promise<void> {
  if (program.exitCode === null && program.signalCode === null) await once(program, 'exit')
}
