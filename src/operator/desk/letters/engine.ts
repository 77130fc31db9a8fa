import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { LockHolder } from '../../../store/run-lock.ts'
import { thisMachine } from '../../announce/dead-run.ts'
import { OperatorError } from '../../terminal/operator-error.ts'

/** What the engine needs and the desk has. */
export interface EngineParts {
  /** The project's folder. */
  readonly root: string
  readonly env: NodeJS.ProcessEnv
}

/**
 * Starts the command `announce` as a process of its own, in a session of its own: neither the desk's
 * end nor the server's nor that of a terminal is its end.
 *
 * @param log open; what it says goes there, and it is closed here. @returns its process id.
 */
export async function startEngine(
  { root, env }: EngineParts,
  letter: string,
  args: readonly string[],
  log: number,
): Promise<number> {
  // Names, not a command line: no shell reads them.
  const command = [join(root, 'bin/opening-bell.mjs'), 'announce', letter, ...args]
  try {
    const engine = spawn(process.execPath, [...command, '--json', '--no-list'], {
      cwd: root,
      detached: true,
      stdio: ['ignore', log, log],
      env: {
        ...env,
        NO_COLOR: '1',
        // Its own folder for what does not fit into memory: a service's /tmp goes when it stops.
        SQLITE_TMPDIR: join(letter, '..'),
      },
    })
    engine.unref()
    await once(engine, 'spawn')
    return engine.pid as number
  } finally {
    closeSync(log)
  }
}

/** What an engine that runs on this machine was told; `undefined` for any other process, or none. */
export function engineArguments({ host, pid }: Pick<LockHolder, 'host' | 'pid'>) {
  if (host !== thisMachine()) return undefined
  const command = commandOf(pid)
  const tool = command.findIndex((part) =>
    /(^|\/)(src\/operator\/main\.ts|bin\/opening-bell(\.mjs)?)$/.test(part),
  )
  const [name, ...args] = tool < 0 ? [] : command.slice(tool + 1)
  return name === 'announce' || name === 'ask' ? { command: name, args } : undefined
}

/** Which of these letters an engine on this machine sends. */
export function letterOf(engine: Pick<LockHolder, 'host' | 'pid'>, names: readonly string[]) {
  const { command, args } = engineArguments(engine) ?? {}
  if (command !== 'announce') return undefined
  const files = args
    ?.filter((arg) => !arg.startsWith('-'))
    .map((arg) => basename(arg).replace(/\.[^.]*$/, ''))
  return files?.find((file) => names.includes(file))
}

/**
 * Asks an engine to stop, once: it finishes what is under way. Only ours, on this machine.
 *
 * @throws OperatorError with what to do instead
 */
export function stopEngine(engine: Pick<LockHolder, 'host' | 'pid'>): void {
  const { host, pid } = engine
  if (!engineArguments(engine))
    throw new OperatorError(
      host === thisMachine()
        ? `Process ${pid} is no announcement any more: its lock runs out within a minute.`
        : `It runs on ${host} as process ${pid}, where the desk cannot reach it. Press Ctrl-C there, or run "kill -TERM ${pid}".`,
    )
  try {
    process.kill(pid, 'SIGTERM')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ESRCH') return
    throw new OperatorError(
      `Process ${pid} belongs to another user: press Ctrl-C where it was started, or run "kill -TERM ${pid}" as that user.`,
      { cause },
    )
  }
}

/** The words by which a process was started; none for one that has ended, waited for or not. */
function commandOf(pid: number): string[] {
  if (!Number.isSafeInteger(pid) || pid < 2) return []
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/)
  } catch {
    return []
  }
}
