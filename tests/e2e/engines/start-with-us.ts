import { type Program, startProgram } from '../../../scripts/program.ts'

/**
 * Starts a program with all that it starts in a group of its own. It ends with this process, on Linux
 * also when that is killed without a chance to put anything away.
 */
export function startWithUs(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Program {
  const options = { group: true, env: { ...process.env, ...env } }
  if (process.platform !== 'linux') return startProgram(command, args, options)
  return startProgram('setpriv', ['--pdeathsig', 'KILL', '--', command, ...args], options)
}
