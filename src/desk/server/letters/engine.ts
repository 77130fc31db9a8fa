import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, readFileSync, readlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isDead, type SomeHolder, thisMachine } from '../../../announcement/run/dead-run.ts'
import { runIn } from '../../../announcement/run/run-words.ts'
import { inCode } from '../../../product/folders.mjs'
import { orUndefined } from '../../../shared/or-undefined.ts'
import { machineOf } from '../../../store/run-lock.ts'
import { OperatorError } from '../../../terminal/operator-error.ts'

/** What the engine needs of the desk. */
export interface EngineParts {
  /** The founder's folder. */
  readonly root: string
  readonly env: NodeJS.ProcessEnv
}

/**
 * Starts the command `announce` as a process of its own, in a session of its own: it outlives the
 * desk, the server and the terminal.
 *
 * @param log open; the output goes there, and it is closed here. @returns the process id.
 */
export async function startEngine(
  { root, env }: EngineParts,
  letter: string,
  args: readonly string[],
  log: number,
): Promise<number> {
  // A list of arguments: no shell reads them.
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
        // A service's /tmp is removed when the service stops, so its temporary files are here.
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

/** What can be seen of a process that may be sending. */
export type Seen =
  /** It is the tool, with these arguments. */
  | { readonly is: 'tool'; readonly command: string; readonly args: readonly string[] }
  /** Its program is being loaded: its arguments cannot be read yet. */
  | { readonly is: 'loading' }
  /** It has ended; its number may be another's by now. */
  | { readonly is: 'gone' }
  /**
   * It exists, but its arguments are hidden: a restarted service cannot see the processes of its
   * former self.
   */
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

/** The one of these letters that the tool is sending. */
export function letterOf(what: Seen, names: readonly string[]): string | undefined {
  if (what.is !== 'tool' || what.command !== 'announce') return undefined
  return what.args
    .filter((arg) => !arg.startsWith('-'))
    .map((arg) => basename(arg).replace(/\.[^.]*$/, ''))
    .find((file) => names.includes(file))
}

/**
 * Asks an engine to stop: it finishes the messages under way. Only our own engine, on this machine.
 *
 * @param isKnown whether it is known as ours without its arguments.
 * @throws OperatorError with what to do instead
 */
export function stopEngine(engine: Engine, isKnown: boolean): void {
  const { pid } = engine
  const { is } = seen(engine)
  if (is === 'gone')
    throw new OperatorError('The run has ended already: its lock runs out within a minute.')
  if (is === 'elsewhere')
    throw new OperatorError(
      `The run is process ${pid} on ${machineOf(engine)}, where the desk cannot reach it. Press Ctrl-C there, or run "kill -INT ${pid}".`,
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

/** The arguments of a process; empty for one that is being loaded, or is a zombie. */
function wordsOf(pid: number): string[] | undefined {
  return orUndefined(() => {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
    const args = ['-o', 'args=', '-p', String(pid)]
    return execFileSync('ps', args, { encoding: 'utf8' }).trim().split(/\s+/)
  })
}

/**
 * Of a starting process, Linux shows the program a moment before the arguments; of an ended one,
 * neither.
 */
const hasProgram = (pid: number) =>
  orUndefined(() => readlinkSync(`/proc/${pid}/exe`)) !== undefined
