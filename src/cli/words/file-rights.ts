import type { Wrong } from '../../upkeep/install/code-rights.ts'

/** At most this many files are named with a remedy. */
const NAMED = 10

const reasons: Readonly<Record<Wrong['why'], readonly [is: string, remedy: string]>> = {
  'not-roots': ['does not belong to root', 'chown -h root:root'],
  changeable: ['can be changed by others than root', 'chmod go-w'],
  unreadable: ['cannot be read by the service', 'chmod go+rX'],
}

export const whatIsWrong = ({ path, why }: Wrong) => `${path} ${reasons[why][0]}`

/**
 * What is wrong with the rights of files, and commands that name each file: a recursive one would
 * open files that are not named.
 */
export function withRemedy(wrong: readonly Wrong[]): string {
  const [first, ...others] = wrong
  if (!first) return ''
  if (others.length >= NAMED)
    return `${whatIsWrong(first)}, and ${others.length} more are like that: put the code there anew, as root and with umask 022, as docs/deploy.md says.`
  const named = ({ path }: Wrong) => `'${path.replaceAll("'", `'\\''`)}'`
  const commands = Object.entries(Object.groupBy(wrong, ({ why }) => reasons[why][1])).map(
    ([command, some = []]) => [command, ...some.map(named)].join(' '),
  )
  return `${whatIsWrong(first)}: run "${commands.join(' && ')}" as root.`
}
