import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { ClientHttp2Stream } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { deskCookies } from '../desk/contract/cookies.ts'
import { type DeskVisitorKind, deskHeaders } from '../desk/contract/visitor.ts'
import { deskEventsKey, deskName, deskTokens, hashOfSecret } from '../keys/desk-tokens.ts'
import {
  type DeskAccessState,
  idsOfAll,
  linkIn,
  passkeyOfDevice,
  sessionIn,
} from '../store/desk-access.ts'
import type { DeskAccess } from '../store/store.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'
import { doorPages, sayPlainly } from './desk-answers.ts'
import { unwrittenEnds } from './desk-ends.ts'
import type { DeskProcess } from './desk-process.ts'
import { codeIn, type DeskPass, forwarded, hasBody, isFromElsewhere } from './desk-requests.ts'
import { logAnswer } from './http/log.ts'
import { requestRate } from './http/request-rate.ts'
import { type BodyLimits, bodyReader } from './http/whole-body.ts'

export interface DeskGateOptions {
  readonly access: Pick<DeskAccess, 'read' | 'change'>
  readonly linkKey: Buffer
  readonly appId: string
  readonly publicUrl: string | null
  readonly process: DeskProcess
  /** The pages of a link, a file of the build. */
  readonly doors: string
  readonly log: FastifyBaseLogger
  /** How long to wait for an answer: to a look, and to an action. */
  readonly answerWithinMs?: { readonly look: number; readonly act: number }
}

export interface DeskGate {
  /**
   * Takes a request to the desk from those who may open it.
   *
   * @param otherwise answers as if there were no desk. @returns whether the request was answered.
   */
  take(request: IncomingMessage, response: ServerResponse, otherwise: () => void): boolean
  /** Ends what is open and the desk's process. */
  close(): Promise<void>
}

/** A path of the desk, with what may be a link. */
const DESK = /^\/desk(?:\/(?:([\w-]{65})|[\w/.-]*))?(?:\?[\x21-\x7e]*)?$/
const MOST_OPEN = 100
/** The limit of one session, so that it cannot shut out another. */
const MOST_OF_ONE = 60
/** The limit of each kind of request without a session. */
const MOST_OUTSIDE = 20
/** More than a page with all of its files needs, or a search while typing. */
const rates = {
  session: { burst: 400, perSecond: 40 },
  device: { burst: 60, perSecond: 1 },
} as const
const MiB = 1024 * 1024
/** The limits of bodies: 16 MiB in all, separate for each kind. */
const bodies: Readonly<Record<DeskVisitorKind, BodyLimits>> = {
  // Twice the desk's own limit, so that the desk itself can answer that a body is too long.
  session: { bytes: 2 * MiB, allBytes: 12 * MiB, withinMs: 20_000 },
  device: { bytes: MiB / 16, allBytes: 3 * MiB, withinMs: 10_000 },
  // A code, or a whole pasted link.
  link: { bytes: MiB / 256, allBytes: MiB, withinMs: 10_000 },
}
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
 * Guards the desk. A request without a session, a link or a device with a passkey gets the answer
 * of an unknown path, by the same code; a token that we did not sign is not even looked up. A
 * request with the path of a link but without its code is answered here, and reaches nothing
 * behind.
 */
export function deskGate(options: DeskGateOptions): DeskGate {
  const { access, linkKey, appId, publicUrl, process: desk, log } = options
  const { answerWithinMs = ANSWER_WITHIN_MS } = options
  const tokens = deskTokens(linkKey)
  const eventsKey = deskEventsKey(linkKey)
  const own = deskName(linkKey, appId)
  const cookies = deskCookies(publicUrl?.startsWith('https:') ?? false, own)
  const open = new Map<ServerResponse, Open>()
  const ends = unwrittenEnds(access, log)
  const showDoor = doorPages(options.doors)
  const readOf = {
    session: bodyReader(bodies.session),
    device: bodyReader(bodies.device),
    link: bodyReader(bodies.link),
  }
  const isWithin = { session: requestRate(rates.session), device: requestRate(rates.device) }
  let watch: NodeJS.Timeout | undefined
  let isClosing = false

  /** The ids of the signed tokens in a request, by kind. */
  function shown({ cookie }: IncomingMessage['headers'], link: string | undefined) {
    return {
      session: idIn('session', cookies.session.read(cookie)),
      link: idIn('link', link),
      device: idIn('device', cookies.device.read(cookie)),
    }
  }

  const idIn = (kind: DeskVisitorKind, token = '') => tokens.idOf(kind, token)

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
      // No limit on tries: a code has 256 bits, and comparing it costs nothing.
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
      // The process has just ended, or the browser sent headers that cannot be passed on.
      return sayPlainly(request, response, 'unreachable')
    }
    const isSession = pass.by === 'session'
    const one: Open = { pass, stream, isEndless: false }
    open.set(response, one)
    watch ??= setInterval(look, LOOK_EVERY_MS).unref()
    const isAct = request.method !== 'GET' && request.method !== 'HEAD'
    const late = setTimeout(
      () => {
        // The action itself may take this long, so the process is not ended in the middle of it.
        if (!isAct) desk.isSilent()
        stream.close()
      },
      isAct && isSession ? answerWithinMs.act : answerWithinMs.look,
    )
    stream.on('response', ({ ':status': status = 502, ...headers }) => {
      // Without a session, slow reading does not keep a place.
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
      // The first event of a stream may come later.
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
    const found = await access.read().catch(() => undefined)
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
      const ids = shown(request.headers, match[1])
      if (isFromElsewhere(request, ids.session && eventsKey(ids.session))) return false
      if (!ids.session && !ids.link && !ids.device) return false
      access
        .read()
        .then(
          (found) => {
            const pass = passOf(found, ids)
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
      // Other requests are answered, if that takes no longer.
      for (const until = performance.now() + FINISH_MS; open.size > 0; await sleep(LOOK_CLOSING_MS))
        if (performance.now() > until) for (const response of open.keys()) response.destroy()
      await desk.close()
      await ends.close()
    },
  }
}

/** Ends a stream properly, so that the browser connects again for more events. */
function finish(response: ServerResponse, { stream, isEndless }: Open) {
  stream.unpipe(response)
  if (isEndless) response.end()
  else response.destroy()
  stream.close()
}
