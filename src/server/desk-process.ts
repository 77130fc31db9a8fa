import type { ChildProcess } from 'node:child_process'
import type { ClientHttp2Session } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'

export interface DeskProcess {
  /**
   * The connection to the process, which is started if there is none.
   *
   * @returns nothing for a while after it has failed.
   */
  connect(): ClientHttp2Session | undefined
  /** To be called when an answer begins: the process works. */
  isWell(): void
  /** To be called when an answer does not come: a process that hangs is ended. */
  isSilent(): void
  /** To be called when no request is open: without another one, the process is ended later. */
  isIdle(): void
  /** Ends it. */
  close(): Promise<void>
}

export interface DeskProcessOptions {
  /** The program, with its arguments. */
  readonly program: readonly string[]
  readonly log: FastifyBaseLogger
  readonly idleMs?: number
}

const IDLE_MS = 15 * 60_000
const END_WITHIN_MS = 700
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 60_000

/** A process that runs, with our connection to it. */
interface Running {
  readonly child: ChildProcess
  readonly session: ClientHttp2Session
  readonly ended: Promise<void>
}

/**
 * The desk's process: started with the first request, and ended after some time without any. It
 * shares with the server a connection without name and port, which no other process can use, and
 * which ends with either.
 */
export function deskProcess({ program, log, idleMs = IDLE_MS }: DeskProcessOptions): DeskProcess {
  let open: Running | undefined
  let idle: NodeJS.Timeout | undefined
  /** Failures in a row, and when it may be started again. */
  let [failures, waitUntil] = [0, 0]

  function start() {
    const started = begin(program)
    open = started
    if (!started) fail('cannot be begun')
    started?.ended.then(() => {
      if (open === started) fail('has ended by itself')
    })
    return started
  }

  function fail(why: string) {
    open = undefined
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)
    failures += 1
    waitUntil = performance.now() + pause
    log.error(`The desk's process ${why}; it is started again in ${pause} ms at the earliest.`)
  }

  async function end() {
    const ending = open
    open = undefined
    clearTimeout(idle)
    if (!ending) return
    ending.child.kill('SIGTERM')
    const late = killSoon(ending)
    await ending.ended
    clearTimeout(late)
  }

  return {
    connect() {
      clearTimeout(idle)
      if (open) return open.session
      return performance.now() < waitUntil ? undefined : start()?.session
    },
    isWell() {
      failures = 0
    },
    isSilent() {
      if (!open) return
      const dead = killSoon(open).unref()
      // A process that is only slow answers this.
      if (!open.session.destroyed) open.session.ping((error) => error ?? clearTimeout(dead))
    },
    isIdle() {
      clearTimeout(idle)
      idle = setTimeout(end, idleMs).unref()
    },
    close() {
      waitUntil = Number.POSITIVE_INFINITY
      return end()
    },
  }
}

/** @returns nothing where the machine has no space for it. */
function begin([command = '', ...args]: readonly string[]): Running | undefined {
  // Loaded with the first request only.
  const { spawn } = process.getBuiltinModule('node:child_process')
  const { connect } = process.getBuiltinModule('node:http2')
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] })
  const ended = new Promise<void>((resolve) => {
    child.on('error', () => resolve()).on('exit', () => resolve())
  })
  const line = child.stdio?.[3]
  // Without a free file descriptor there is no process, and a signal would go to our own group.
  if (child.pid === undefined || !line) return undefined
  const session = connect('http://desk', { createConnection: () => line as Duplex })
  // Each request gets the error itself.
  session.on('error', () => {})
  line.on('error', () => {})
  session.on('close', () => child.kill('SIGKILL'))
  ended.then(() => session.destroy())
  return { child, session, ended }
}

const killSoon = ({ child }: Running) => setTimeout(() => child.kill('SIGKILL'), END_WITHIN_MS)
