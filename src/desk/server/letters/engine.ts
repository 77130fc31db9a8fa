import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, readFileSync, readlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isDead, type SomeHolder, thisMachine } from '../../../announcement/run/dead-run.ts'
import { runIn } from '../../../announcement/run/run-words.ts'
import { inCode } from '../../../product/folders.mjs'
import { OperatorError } from '../../../terminal/operator-error.ts'

/** What the engine needs and the desk has. */
export interface EngineParts {
  /** The founder's folder. */
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
  const { FORCE_COLOR: _, ...settings } = env
  const command = [inCode('bin/opening-bell.mjs'), 'announce', letter, ...args]
  try {
    const engine = spawn(process.execPath, [...command, '--log'], {
      cwd: root,
      detached: true,
      stdio: ['ignore', log, log],
      env: {
        ...settings,
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

export type Engine = SomeHolder

/** What can be seen of a process that is said to send. */
export type Seen =
  /** It is the tool, and was told this. */
  | { readonly is: 'tool'; readonly command: string; readonly args: readonly string[] }
  /** Its program is being loaded: what it was told cannot be read yet. */
  | { readonly is: 'loading' }
  /** It has ended; its number may be another's by now. */
  | { readonly is: 'gone' }
  /** It is there, and hides what it is: a service does not see into one that it was before. */
  | { readonly is: 'hidden' }
  /** It is on another machine, or in another container. */
  | { readonly is: 'elsewhere' }

export function seen(engine: Engine): Seen {
  if (engine.host !== thisMachine()) return { is: 'elsewhere' }
  if (!Number.isSafeInteger(engine.pid) || engine.pid < 2 || isDead(engine)) return { is: 'gone' }
  const words = wordsOf(engine.pid)
  if (!words) return { is: 'hidden' }
  if (words.length === 0) return { is: hasProgram(engine.pid) ? 'loading' : 'gone' }
  const run = runIn(words)
  return run ? { is: 'tool', ...run } : { is: 'gone' }
}

/** Which of these letters the tool was told to send. */
export function letterOf(what: Seen, names: readonly string[]): string | undefined {
  if (what.is !== 'tool' || what.command !== 'announce') return undefined
  return what.args
    .filter((arg) => !arg.startsWith('-'))
    .map((arg) => basename(arg).replace(/\.[^.]*$/, ''))
    .find((file) => names.includes(file))
}

/**
 * Asks an engine to stop: it finishes what is under way. Only ours, on this machine.
 *
 * @param isKnown whether it is ours for another reason than what it looks like.
 * @throws OperatorError with what to do instead
 */
export function stopEngine(engine: Engine, isKnown: boolean): void {
  const { host, pid } = engine
  const { is } = seen(engine)
  if (is === 'gone')
    throw new OperatorError('It has ended already: its lock runs out within a minute.')
  if (is === 'elsewhere')
    throw new OperatorError(
      `It runs on ${host} as process ${pid}, where the desk cannot reach it. Press Ctrl-C there, or run "kill -INT ${pid}".`,
    )
  const byHand = `press Ctrl-C where it was started, or run "kill -INT ${pid}" as its user.`
  if ((is === 'hidden' || is === 'loading') && !isKnown)
    throw new OperatorError(`The desk cannot see what process ${pid} is: ${byHand}`)
  try {
    process.kill(pid, 'SIGINT')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ESRCH') return
    throw new OperatorError(`Process ${pid} belongs to another user: ${byHand}`, { cause })
  }
}

/** How a process was started: no words for one that is not yet there, or has ended unnoticed. */
function wordsOf(pid: number): string[] | undefined {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
    const args = ['-o', 'args=', '-p', String(pid)]
    return execFileSync('ps', args, { encoding: 'utf8' }).trim().split(/\s+/)
  } catch {
    return undefined
  }
}

/** Linux shows the program of whoever has not ended a moment before the words it was started with. */
function hasProgram(pid: number): boolean {
  try {
    readlinkSync(`/proc/${pid}/exe`)
    return true
  } catch {
    return false
  }
}
