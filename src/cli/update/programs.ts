import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { OperatorError } from '../../terminal/operator-error.ts'

export interface Ended {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

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

/** Runs a program to its end, without input, and within limits: a foreign repository may be of any size. */
export function program(name: string, args: readonly string[], options: SpawnSyncOptions): Ended {
  const { status, error, stdout, stderr } = spawnSync(name, args, {
    ...{ stdio: ['ignore', 'pipe', 'pipe'], timeout: 600_000, maxBuffer: 2 ** 26 },
    ...{ detached: isApart, ...options, encoding: 'utf8' },
  })
  const said = error ? `${error.message}\n${stderr ?? ''}` : stderr
  return { status: error ? 1 : (status ?? 1), stdout: stdout ?? '', stderr: said ?? '' }
}

/** @returns what it printed. @throws OperatorError where it fails, with what it said last. */
export function must(name: string, args: readonly string[], options: SpawnSyncOptions): string {
  const ended = program(name, args, options)
  if (ended.status === 0) return ended.stdout
  throw new OperatorError(lastLines(ended))
}

/** The last lines that a program printed before it failed. */
export const lastLines = ({ stdout, stderr }: Ended) =>
  (stderr.trim() || stdout.trim()).split('\n').slice(-5).join('\n')
