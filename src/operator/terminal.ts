import { once } from 'node:events'
import { createWriteStream, openSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { type Out, Trouble } from './out.ts'
import { colored, plain, printable } from './style.ts'

/** The two streams of a process, as far as they matter here. */
export interface Streams {
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: Writable & { readonly isTTY?: boolean }
}

export interface TerminalOptions {
  /** The file that gets the result instead of standard output. */
  readonly output?: string | undefined
  /** As `NO_COLOR` wants it: https://no-color.org */
  readonly color: boolean
}

/** An `Out`, and how to end it: what was written to a file is there then, whole, or not at all. */
export interface Terminal {
  readonly out: Out
  keep(): Promise<void>
  discard(): Promise<void>
}

const PROGRESS_MS = 200
const PLAIN_PROGRESS_MS = 10_000

export function terminal(
  { stdout, stderr }: Streams,
  { output, color }: TerminalOptions,
): Terminal {
  const unfinished = output && `${output}.part`
  // Addresses are for nobody else on this machine.
  const result = unfinished ? createWriteStream(unfinished, { fd: opened(unfinished) }) : stdout
  let failure: Error | undefined
  if (unfinished)
    result.on('error', (cause: Error) => {
      failure = cannotBeWritten(unfinished, cause)
    })
  const isLive = stderr.isTTY === true
  let shown = false
  let lastProgress = 0

  const clear = () => {
    if (shown) stderr.write('\r\u001b[2K')
    shown = false
  }

  /** What goes wrong with the file is an operator's trouble, whenever it is found out. */
  async function orFailure(work: Promise<unknown>) {
    await work.catch((error) => {
      throw failure ?? error
    })
    if (failure) throw failure
  }

  return {
    out: {
      async write(text) {
        if (!unfinished) clear()
        if (!result.write(printable(text))) await orFailure(once(result, 'drain'))
      },
      say(text) {
        clear()
        stderr.write(`${printable(text)}\n`)
      },
      progress(text) {
        const now = performance.now()
        if (now - lastProgress < (isLive ? PROGRESS_MS : PLAIN_PROGRESS_MS)) return
        lastProgress = now
        clear()
        stderr.write(isLive ? printable(text) : `${printable(text)}\n`)
        shown = isLive
      },
      style: color && !output && stdout.isTTY ? colored : plain,
      width: stdout.columns ?? 80,
    },
    async keep() {
      clear()
      if (!unfinished || !output) return
      result.end()
      await orFailure(finished(result))
      await rename(unfinished, output)
    },
    async discard() {
      clear()
      if (!unfinished) return
      result.destroy()
      await rm(unfinished, { force: true })
    },
  }
}

/** Found out before anything else is done. @throws Trouble */
function opened(file: string): number {
  try {
    return openSync(file, 'w', 0o600)
  } catch (cause) {
    throw cannotBeWritten(file, cause as Error)
  }
}

function cannotBeWritten(file: string, cause: Error): Trouble {
  return new Trouble(`${file}: cannot be written: ${cause.message}`, { cause })
}
