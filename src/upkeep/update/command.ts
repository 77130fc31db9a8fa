import { spawn } from 'node:child_process'
import { refused } from '../refusal.ts'

export interface Ended {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
  /** Whether it was ended, since it took too long or printed too much. */
  readonly isCut: boolean
}

export interface CommandOptions {
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv | undefined
  readonly uid?: number | undefined
  readonly gid?: number | undefined
  /** Shows its output to our own caller. */
  readonly isShown?: boolean
  /** How long it may take, and how many characters it may print. */
  readonly withinMs?: number
  readonly mostSaid?: number
}

let isApart = false

/**
 * From now on, neither the end of our terminal nor a Ctrl-C there ends us or the programs that we
 * start: a closing terminal sends a signal to all of its processes, and cannot be written to.
 */
export function standApart(): void {
  isApart = true
  outliveTerminal()
}

/** Ignores errors of our output, since its reader may be gone. */
export function outliveTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

/** Whether new processes are detached from our terminal. */
export const apart = () => ({ detached: isApart })

/** Runs a program to its end. @throws Refused if it does not exist. */
export function runCommand(
  program: string,
  args: readonly string[],
  { isShown = false, withinMs, mostSaid = Infinity, ...options }: CommandOptions,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const stdio = isShown ? 'inherit' : 'pipe'
    // A command of the operator's may need the terminal, for a password of sudo.
    const place = isShown ? {} : apart()
    const child = spawn(program, args, { ...options, ...place, stdio: ['ignore', stdio, stdio] })
    const said = { stdout: '', stderr: '' }
    let isCut = false
    const cut = () => {
      isCut = true
      child.kill()
      // Programs that it has started may hold these open.
      for (const stream of [child.stdout, child.stderr]) stream?.destroy()
    }
    const late = withinMs === undefined ? undefined : setTimeout(cut, withinMs)
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.setEncoding('utf8').on('data', (text: string) => {
        said[name] += text
        if (said[name].length > mostSaid) cut()
      })
    child.on('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT')
        return reject(refused({ code: 'no-program', program }, { cause }))
      if (cause.code !== 'EACCES' || options.uid === undefined) return reject(cause)
      reject(refused({ code: 'may-not-reach', uid: options.uid, path: program }, { cause }))
    })
    child.on('close', (status) => {
      clearTimeout(late)
      resolve({ status: isCut ? 1 : (status ?? 1), ...said, isCut })
    })
  })
}

/** The last lines that a program printed before it failed. */
export function lastLines({ stdout, stderr }: Ended, count = 12): string {
  return (stderr.trim() || stdout.trim()).split('\n').slice(-count).join('\n')
}
