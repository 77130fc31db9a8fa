import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { OperatorError } from '../../terminal/operator-error.ts'

let isApart = false

/**
 * From now on, neither the end of our terminal nor a Ctrl-C there ends us or what we start: an update
 * that has begun to change places is either finished or taken back.
 */
export function standApart(): void {
  isApart = true
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
}

/**
 * Runs a program to its end, without input, and within limits: a foreign repository may be of any size.
 *
 * @returns what it printed. @throws OperatorError of `failure` and its last lines; the cause is how it ended.
 */
export function must(
  failure: string,
  name: string,
  args: readonly string[],
  options: SpawnSyncOptions = {},
): string {
  const ended = spawnSync(name, args, {
    ...{ stdio: ['ignore', 'pipe', 'pipe'], timeout: 600_000, maxBuffer: 2 ** 26 },
    ...{ detached: isApart, ...options, encoding: 'utf8' },
  })
  const [out, said] = [ended.stdout ?? '', ended.stderr ?? '']
  if (ended.status === 0 && !ended.error) return out.replace(/\n$/, '')
  const last = (ended.error?.message || said.trim() || out.trim()).split('\n').slice(-5)
  throw new OperatorError(`${failure} ${last.join('\n')}`.trim(), { cause: ended })
}
