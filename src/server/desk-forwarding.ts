import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { ClientHttp2Stream, IncomingHttpHeaders, IncomingHttpStatusHeader } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import { deskHeaders } from '../desk/contract/visitor.ts'
import { type DeskAccessState, idsOfAll, sessionIn } from '../store/desk-access.ts'
import { sayPlainly } from './desk-answers.ts'
import type { DeskProcess } from './desk-process.ts'
import { type DeskPass, forwarded, isLook } from './desk-requests.ts'

export interface DeskForwardingOptions {
  readonly desk: DeskProcess
  /** The stored state, without what has ended. */
  readonly read: () => Promise<DeskAccessState>
  /** Gets the ids of what the desk ended and could not write. */
  readonly end: (ids: readonly string[]) => void
  /** How long to wait for an answer: to a look, and to an action. */
  readonly answerWithinMs?: { readonly look: number; readonly act: number }
}

const MOST_OPEN = 100
/** The limit of one session, so that it cannot shut out another. */
const MOST_OF_ONE = 60
/** The limit of each kind of request without a session. */
const MOST_OUTSIDE = 20
const LOOK_EVERY_MS = 2000
/** An action gets longer than everything that it waits for, such as a mail server and the DNS. */
const ANSWER_WITHIN_MS = { look: 30_000, act: 4 * 60_000 }
const FINISH_MS = 700
const LOOK_CLOSING_MS = 20

interface Open {
  readonly pass: DeskPass
  readonly stream: ClientHttp2Stream
  /** Whether it is a stream of events. */
  isEndless: boolean
}

/**
 * The requests that the desk's process answers now. They go by HTTP/2: all of them share one
 * connection, and a browser that leaves ends its own answer alone.
 */
export class DeskForwarding {
  readonly #options: DeskForwardingOptions
  readonly #open = new Map<ServerResponse, Open>()
  #watch: NodeJS.Timeout | undefined
  #isClosing = false

  constructor(options: DeskForwardingOptions) {
    this.#options = options
  }

  /** Passes a request on, and its answer back. */
  forward(pass: DeskPass, request: IncomingMessage, response: ServerResponse, body: Buffer) {
    // The browser has left meanwhile.
    if (response.destroyed) return
    const stream = this.#begin(pass, request, body)
    if (!stream) return sayPlainly(request, response, 'unreachable')
    const { desk, answerWithinMs = ANSWER_WITHIN_MS } = this.#options
    const one: Open = { pass, stream, isEndless: false }
    this.#open.set(response, one)
    this.#watch ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
    const isAct = !isLook(request)
    const isSession = pass.by === 'session'
    const late = setTimeout(
      () => {
        // The action itself may take this long, so the process is not ended in the middle of it.
        if (!isAct) desk.isSilent()
        stream.close()
      },
      isAct && isSession ? answerWithinMs.act : answerWithinMs.look,
    )
    stream
      .on('response', (head) => {
        // Without a session, slow reading does not keep a place.
        if (isSession) clearTimeout(late)
        this.#answer(response, one, head)
      })
      .on('error', () => {})
      .on('close', () => {
        if (!response.headersSent)
          sayPlainly(request, response, isAct ? 'unanswered' : 'unreachable')
        else if (!response.writableEnded) finish(response, one)
      })
    response.on('close', () => {
      clearTimeout(late)
      stream.close()
      this.#leave(response)
    })
    if (body.length > 0) stream.end(body)
  }

  /** Ends streams of events. Other requests are answered, if that takes no longer than a moment. */
  async close() {
    this.#isClosing = true
    clearInterval(this.#watch)
    for (const [response, one] of this.#open) if (one.isEndless) finish(response, one)
    const until = performance.now() + FINISH_MS
    for (; this.#open.size > 0; await sleep(LOOK_CLOSING_MS))
      if (performance.now() > until) for (const response of this.#open.keys()) response.destroy()
  }

  #begin(pass: DeskPass, request: IncomingMessage, body: Buffer): ClientHttp2Stream | undefined {
    if (this.#isClosing || !this.#hasSlot(pass)) return undefined
    try {
      const head = forwarded(pass, request, body)
      return this.#options.desk.connect()?.request(head, { endStream: body.length === 0 })
    } catch {
      // The process has just ended, or the browser sent headers that cannot be passed on.
      return undefined
    }
  }

  #hasSlot({ by, id }: DeskPass): boolean {
    const alike = [...this.#open.values()].filter(({ pass }) => pass.by === by)
    if (by !== 'session') return alike.length < MOST_OUTSIDE
    return (
      alike.length < MOST_OPEN && alike.filter(({ pass }) => pass.id === id).length < MOST_OF_ONE
    )
  }

  #answer(
    response: ServerResponse,
    one: Open,
    { ':status': status = 502, ...headers }: IncomingHttpHeaders & IncomingHttpStatusHeader,
  ) {
    const { desk, end } = this.#options
    desk.isWell()
    const { [deskHeaders.unwrittenEnd]: ended } = headers
    delete headers[deskHeaders.unwrittenEnd]
    if (ended !== undefined) {
      end(ended === 'all' ? idsOfAll(one.pass.found) : [String(ended)])
      response.once('finish', () => this.#look())
    }
    one.isEndless = String(headers['content-type']).startsWith('text/event-stream')
    response.writeHead(status, headers as OutgoingHttpHeaders)
    // The first event of a stream may come later.
    response.flushHeaders()
    one.stream.pipe(response)
  }

  #leave(response: ServerResponse) {
    this.#open.delete(response)
    if (this.#open.size > 0) return
    clearInterval(this.#watch)
    this.#watch = undefined
    if (!this.#isClosing) this.#options.desk.isIdle()
  }

  /** Ends answers that go on, such as streams of events, when their session has ended. */
  async #look() {
    const found = await this.#options.read().catch(() => undefined)
    if (!found) return
    for (const [response, one] of this.#open) {
      const { by, id } = one.pass
      if (by === 'session' && !sessionIn(found, id, Date.now())) finish(response, one)
    }
  }
}

/** Ends a stream properly, so that the browser connects again for more events. */
function finish(response: ServerResponse, { stream, isEndless }: Open) {
  stream.unpipe(response)
  if (isEndless) response.end()
  else response.destroy()
  stream.close()
}
