import { onTestFinished } from 'vitest'
import { type Program, type ProgramOptions, startProgram } from '../scripts/program.ts'

type Command = readonly [string, ...string[]]

/** Starts a program, as a terminal would, that ends with the test at the latest. */
export function run(
  cwd: string,
  [command, ...args]: Command,
  env: NodeJS.ProcessEnv = {},
  user: Pick<ProgramOptions, 'uid' | 'gid'> = {},
) {
  const program = startProgram(command, args, {
    ...user,
    cwd,
    env: { ...process.env, ...env },
    group: true,
  })
  onTestFinished(async () => {
    program.signalGroup('SIGKILL')
    await program.ended
  })
  return program
}

/** Waits for a program. @returns its exit code, or the signal that ended it, and what it said. */
export async function ended(program: Program) {
  const code = await program.ended
  return { code, stdout: program.output('stdout'), stderr: program.output('stderr') }
}

/** A command that finds the disk full. @param blocks the largest file it may write, in the shell's blocks of 512 or 1024 bytes. */
export function limitedTo(blocks: string, command: Command): Command {
  return ['sh', '-c', `ulimit -f ${blocks}; exec "$@"`, 'sh', ...command]
}
