import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { ClientHttp2Stream } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { deskCookies } from '../desk/contract/cookies.ts'
import { type DeskVisitorKind, deskHeaders } from '../desk/contract/visitor.ts'
import { deskTokens, hashOfSecret } from '../keys/desk-tokens.ts'
import {
  type DeskAccess,
  type DeskAccessState,
  idsOfAll,
  linkIn,
  passkeyOfDevice,
  sessionIn,
} from '../store/desk-access.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'
import { doorPages, sayPlainly } from './desk-answers.ts'
import { unwrittenEnds } from './desk-ends.ts'
import { looksInto } from './desk-looks.ts'
import type { DeskProcess } from './desk-process.ts'
import { codeIn, type DeskPass, forwarded, hasBody, isFromElsewhere } from './desk-requests.ts'
import { logAnswer } from './http/log.ts'
import { requestRate } from './http/request-rate.ts'
import { type BodyLimits, bodyReader } from './http/whole-body.ts'

export interface DeskGateOptions {
  readonly access: Pick<DeskAccess, 'read' | 'change'>
  readonly linkKey: Buffer
  readonly publicUrl: string | null
  readonly process: DeskProcess
  /** The pages of a link, a file of the build. */
  readonly doors: string
  readonly log: FastifyBaseLogger
  /** How long what was read of the store is believed, in milliseconds. */
  readonly believedMs: number
  /** How long an answer is waited for: of what shows something, and of what a session does. */
  readonly answerWithinMs?: { readonly look: number; readonly act: number }
}

export interface DeskGate {
  /**
   * Takes a request to the desk, of whoever may open it.
   *
   * @param otherwise answers as if there were no desk. @returns whether one of the two is done.
   */
  take(request: IncomingMessage, response: ServerResponse, otherwise: () => void): boolean
  /** Ends what is open and the desk's process. */
  close(): Promise<void>
}

/** A path of the desk, and what may be a link in it. */
const DESK = /^\/desk(?:\/(?:([\w-]{65})|[\w/.-]*))?(?:\?[\x21-\x7e]*)?$/
const MOST_OPEN = 100
/** Of one session: another one is let in, whatever it does. */
const MOST_OF_ONE = 60
/** Of those without a session, of each kind. */
const MOST_OUTSIDE = 20
/** Beyond what a page asks for, with all of its files, or somebody who types a search. */
const rates = {
  session: { burst: 400, perSecond: 40 },
  device: { burst: 60, perSecond: 1 },
} as const
const MiB = 1024 * 1024
/** Of bodies: 16 MiB in all, each kind apart from the others. */
const bodies: Readonly<Record<DeskVisitorKind, BodyLimits>> = {
  // What the desk takes is half as much, so that it can say so.
  session: { bytes: 2 * MiB, allBytes: 12 * MiB, withinMs: 20_000 },
  device: { bytes: MiB / 16, allBytes: 3 * MiB, withinMs: 10_000 },
  // A code, or the link that it is pasted with.
  link: { bytes: MiB / 256, allBytes: MiB, withinMs: 10_000 },
}
const LOOK_EVERY_MS = 2000
/** To do something takes longer than all that it waits for, such as a mail server and the DNS. */
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
 * Stands before the desk. Who has no session, no link and no device with a passkey is told what any
 * unknown path tells, by the same code; what nobody of us signed is not even looked up. Who has the path
 * of a link and not its code is answered here, and reaches nothing behind.
 */
export function deskGate(options: DeskGateOptions): DeskGate {
  const { access, linkKey, publicUrl, process: desk, log, believedMs } = options
  const { answerWithinMs = ANSWER_WITHIN_MS } = options
  const tokens = deskTokens(linkKey)
  const cookies = deskCookies(publicUrl?.startsWith('https:') ?? false)
  const open = new Map<ServerResponse, Open>()
  const ends = unwrittenEnds(access, log)
  const looks = looksInto(access, believedMs)
  const showDoor = doorPages(options.doors)
  const readOf = {
    session: bodyReader(bodies.session),
    device: bodyReader(bodies.device),
    link: bodyReader(bodies.link),
  }
  const isWithin = { session: requestRate(rates.session), device: requestRate(rates.device) }
  let watch: NodeJS.Timeout | undefined
  let isClosing = false

  /** What a request shows that we have signed: ids by what they are of. */
  function shown({ cookie }: IncomingMessage['headers'], link: string | undefined) {
    return {
      session: idIn('session', cookies.session.read(cookie)),
      link: idIn('link', link),
      device: idIn('device', cookies.device.read(cookie)),
    }
  }

  const idIn = (kind: DeskVisitorKind, token: string | undefined) =>
    token === undefined ? undefined : tokens.idOf(kind, token)

  function passOf(stored: DeskAccessState, ids: ReturnType<typeof shown>): DeskPass | undefined {
    const now = Date.now()
    const found = ends.in(stored)
    const session = ids.session && sessionIn(found, ids.session, now)
    if (session) return { by: 'session', id: session.id, usedAt: session.usedAt, found }
    const link = ids.link && linkIn(found, ids.link, now)
    if (link) return { by: 'link', id: link.id, link, found }
    const passkey = ids.device && passkeyOfDevice(found, ids.device)
    return passkey ? { by: 'device', id: passkey.deviceId, found } : undefined
  }

  async function letIn(
    pass: DeskPass,
    request: IncomingMessage,
    response: ServerResponse,
    otherwise: () => void,
  ) {
    const { method } = request
    const isLook = method === 'GET' || method === 'HEAD'
    if (pass.by === 'link') {
      const { isUsed, until, secretHash } = pass.link
      const state = isUsed ? 'used' : until <= Date.now() ? 'too-old' : 'open'
      if (!isLook && method !== 'POST') return otherwise()
      if (isLook || state !== 'open') return showDoor(request, response, state)
      const body = await wholeBody(pass, request, response)
      // It has no tries that could be used up: a code is 256 bits, and to compare it costs nothing.
      if (body && hashOfSecret(codeIn(body)) !== secretHash)
        return showDoor(request, response, 'wrong-code')
      if (body) forward(pass, request, response, body)
      return
    }
    if (!isWithin[pass.by](pass.id)) return sayPlainly(request, response, 429)
    const body = hasBody(request) ? await wholeBody(pass, request, response) : Buffer.of()
    if (body) forward(pass, request, response, body)
  }

  async function wholeBody({ by }: DeskPass, request: IncomingMessage, response: ServerResponse) {
    const body = await readOf[by](request, response)
    if (typeof body !== 'number') return body
    sayPlainly(request, response, body)
    return undefined
  }

  function forward(
    pass: DeskPass,
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
  ) {
    // The browser has left meanwhile.
    if (response.destroyed) return
    const session = !isClosing && hasRoom(pass) ? desk.connect() : undefined
    if (!session) return sayPlainly(request, response, 'unreachable')
    let stream: ClientHttp2Stream
    try {
      stream = session.request(forwarded(pass, request, body), { endStream: body.length === 0 })
    } catch {
      // It ended a moment ago, or the browser sent what cannot be sent on.
      return sayPlainly(request, response, 'unreachable')
    }
    const isSession = pass.by === 'session'
    const one: Open = { pass, stream, isEndless: false }
    open.set(response, one)
    watch ??= setInterval(look, Math.max(LOOK_EVERY_MS, believedMs)).unref()
    const isAct = request.method !== 'GET' && request.method !== 'HEAD'
    const late = setTimeout(
      () => {
        // What takes so long may be what was asked for: it is not ended in the middle.
        if (!isAct) desk.isSilent()
        stream.close()
      },
      isAct && isSession ? answerWithinMs.act : answerWithinMs.look,
    )
    stream.on('response', ({ ':status': status = 502, ...headers }) => {
      // Without a session nobody keeps a place by reading slowly.
      if (isSession) clearTimeout(late)
      desk.isWell()
      const { [deskHeaders.unwrittenEnd]: ended } = headers
      delete headers[deskHeaders.unwrittenEnd]
      if (ended !== undefined) {
        ends.add(ended === 'all' ? idsOfAll(pass.found) : [String(ended)])
        response.once('finish', look)
      }
      one.isEndless = String(headers['content-type']).startsWith('text/event-stream')
      response.writeHead(status, headers as OutgoingHttpHeaders)
      // The first event of a stream may be a while off.
      response.flushHeaders()
      stream.pipe(response)
    })
    stream
      .on('error', () => {})
      .on('close', () => {
        if (!response.headersSent)
          sayPlainly(request, response, isAct ? 'unanswered' : 'unreachable')
        else if (!response.writableEnded) finish(response, one)
      })
    response.on('close', () => {
      clearTimeout(late)
      stream.close()
      open.delete(response)
      if (open.size > 0) return
      clearInterval(watch)
      watch = undefined
      if (!isClosing) desk.isIdle()
    })
    if (body.length > 0) stream.end(body)
  }

  function hasRoom({ by, id }: DeskPass): boolean {
    const all = [...open.values()].map(({ pass }) => pass)
    if (by !== 'session') return all.filter((pass) => pass.by === by).length < MOST_OUTSIDE
    const inside = all.filter((pass) => pass.by === 'session')
    return inside.length < MOST_OPEN && inside.filter((pass) => pass.id === id).length < MOST_OF_ONE
  }

  /** Ends answers that go on, such as streams of events, when their session has ended. */
  async function look() {
    const found = await looks.now().catch(() => undefined)
    if (!found) return
    for (const [response, one] of open) {
      const { by, id } = one.pass
      if (by === 'session' && !sessionIn(ends.in(found), id, Date.now())) finish(response, one)
    }
  }

  return {
    take(request, response, otherwise) {
      const match = DESK.exec(request.url ?? '')
      if (!match) return false
      if (isFromElsewhere(request)) return false
      const ids = shown(request.headers, match[1])
      if (!ids.session && !ids.link && !ids.device) return false
      looks
        .find((found) => passOf(found, ids))
        .then(
          (pass) => {
            if (!pass) return otherwise()
            logAnswer(log, { method: request.method ?? '', route: '/desk' }, response)
            return letIn(pass, request, response, otherwise)
          },
          (fault: unknown) => {
            if (!(fault instanceof StoreUnavailable)) log.error({ err: fault }, 'the desk failed')
            sayPlainly(request, response, 'unreachable')
          },
        )
        .catch((fault: unknown) => {
          log.error({ err: fault }, 'the desk failed')
          sayPlainly(request, response, 'unreachable')
        })
      return true
    },
    async close() {
      isClosing = true
      clearInterval(watch)
      for (const [response, one] of open) if (one.isEndless) finish(response, one)
      // What else was asked for is answered, if that takes no longer.
      for (const until = performance.now() + FINISH_MS; open.size > 0; await sleep(LOOK_CLOSING_MS))
        if (performance.now() > until) for (const response of open.keys()) response.destroy()
      await desk.close()
      await ends.close()
    },
  }
}

/** Ends an answer where it is: a browser takes it for whole, and asks again for more events. */
function finish(response: ServerResponse, { stream, isEndless }: Open) {
  stream.unpipe(response)
  if (isEndless) response.end()
  else response.destroy()
  stream.close()
}
