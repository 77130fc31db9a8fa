import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { type OutputFile, outputFile } from '../store/output-file.ts'
import { OperatorError } from './operator-error.ts'
import type { Out } from './out.ts'
import { colored, plain, printable } from './style.ts'

/** The standard streams of a process. */
export interface Streams {
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: Writable & { readonly isTTY?: boolean }
}

export interface TerminalOptions {
  /** File for the result, instead of standard output. */
  readonly output?: string | undefined
  /** The data folder, whose files no result may replace. */
  readonly dataDir?: string
  /** Whether colours are allowed; see https://no-color.org */
  readonly color: boolean
}

/** An `Out` and how to end it. A result file appears only when it is complete. */
export interface Terminal {
  readonly out: Out
  keep(): Promise<void>
  discard(): Promise<void>
}

const PROGRESS_MS = 200
const PLAIN_PROGRESS_MS = 10_000

export function terminal(
  { stdout, stderr }: Streams,
  { output, dataDir, color }: TerminalOptions,
): Terminal {
  const file = output === undefined ? undefined : resultFile(output, dataDir)
  const line = progressLine(stderr)
  const out: Out = {
    async write(text) {
      const part = typeof text === 'string' ? printable(text) : text
      if (file) return file.write(part)
      line.clear()
      if (!stdout.write(part)) await once(stdout, 'drain')
    },
    json: (value) => out.write(`${JSON.stringify(value)}\n`),
    say: line.say,
    progress: line.show,
    isLive: line.isLive,
    style: color && !output && stdout.isTTY ? colored : plain,
    width: stdout.columns ?? 80,
  }
  return {
    out,
    async keep() {
      line.clear()
      await file?.keep()
    },
    async discard() {
      line.clear()
      file?.discard()
    },
  }
}

/** The last line of a terminal, which changes; elsewhere, lines now and then. */
function progressLine(stderr: Streams['stderr']) {
  const isLive = stderr.isTTY === true
  let isShown = false
  let last = performance.now()

  const clear = () => {
    if (isShown) stderr.write('\r\u001b[2K')
    isShown = false
  }
  const say = (text: string) => {
    clear()
    stderr.write(`${printable(text)}\n`)
  }
  return {
    isLive,
    clear,
    say,
    show(text: string) {
      const now = performance.now()
      if (now - last < (isLive ? PROGRESS_MS : PLAIN_PROGRESS_MS)) return
      last = now
      if (!isLive) return say(text)
      clear()
      stderr.write(printable(text))
      isShown = true
    },
  }
}

/** Turns every error of the file into an OperatorError. */
function resultFile(output: string, dataDir: string | undefined) {
  const file = begun(output, dataDir)
  const result = createWriteStream(file.unfinished, { flags: 'r+' })
  let failure: Error | undefined
  result.on('error', (cause: Error) => {
    failure = cannotBeWritten(output, cause)
  })

  async function orFailure(work: Promise<unknown>) {
    await work.catch((error) => {
      throw failure ?? error
    })
    if (failure) throw failure
  }

  return {
    async write(part: string | Uint8Array) {
      if (!result.write(part)) await orFailure(once(result, 'drain'))
    },
    async keep() {
      result.end()
      await orFailure(finished(result))
      try {
        file.keep()
      } catch (cause) {
        throw cannotBeWritten(output, cause as Error)
      }
    },
    discard() {
      result.destroy()
      file.discard()
    },
  }
}

/** Begins the file before other work, to find its errors first. @throws OperatorError */
function begun(file: string, dataDir = ''): OutputFile {
  try {
    return outputFile(file, dataDir)
  } catch (cause) {
    throw cannotBeWritten(file, cause as Error)
  }
}

function cannotBeWritten(file: string, cause: Error): OperatorError {
  const { code } = cause as NodeJS.ErrnoException
  const why = code === 'ENOENT' ? `there is no folder ${dirname(file)}` : cause.message
  return new OperatorError(`${file}: cannot be written: ${why}`, { cause })
}
