import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { ClientHttp2Stream } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { deskTokens } from '../keys/desk-tokens.ts'
import { deskCookies } from '../shared/desk-cookies.ts'
import { type DeskVisitorKind, deskHeaders } from '../shared/desk-visitor.ts'
import {
  type DeskAccess,
  type DeskAccessState,
  linkIn,
  passkeyOfDevice,
  sessionIn,
} from '../store/desk-access.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'
import type { DeskProcess } from './desk-process.ts'
import { readPast } from './http/connection-limits.ts'
import { logAnswer } from './http/log.ts'

export interface DeskGateOptions {
  readonly access: Pick<DeskAccess, 'deskAccess'>
  readonly linkKey: Buffer
  readonly publicUrl: string | null
  readonly process: DeskProcess
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
/** Of those without a session: whoever has only seen a link cannot keep the operator out. */
const MOST_OUTSIDE = 20
/** Twice what the desk takes, so that it can say so. */
const BODY_BYTES = 2 * 1024 * 1024
const LOOK_EVERY_MS = 2000
const LOOK_AGAIN_MS = 300
/** To do something takes longer than all that it waits for, such as a mail server and the DNS. */
const ANSWER_WITHIN_MS = { look: 30_000, act: 4 * 60_000 }
const FINISH_MS = 700
const LOOK_CLOSING_MS = 20

type Pass =
  | { readonly by: 'session'; readonly id: string; readonly usedAt: number }
  | { readonly by: 'link' | 'device'; readonly id: string }

interface Open {
  /** Of the session; none for who has none yet. */
  readonly id: string | undefined
  readonly stream: ClientHttp2Stream
  /** Whether it is a stream of events. */
  isEndless: boolean
}

/**
 * Stands before the desk. Who has no session, no live link and no device with a passkey is told what
 * any unknown path tells, by the same code; what nobody of us signed is not even looked up.
 */
export function deskGate(options: DeskGateOptions): DeskGate {
  const { access, linkKey, publicUrl, process: desk, log, believedMs } = options
  const { answerWithinMs = ANSWER_WITHIN_MS } = options
  const tokens = deskTokens(linkKey)
  const cookies = deskCookies(publicUrl?.startsWith('https:') ?? false)
  const open = new Map<ServerResponse, Open>()
  const looks = looksInto(access, believedMs)
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

  function passOf(found: DeskAccessState, ids: ReturnType<typeof shown>): Pass | undefined {
    const now = Date.now()
    const session = ids.session && sessionIn(found, ids.session, now)
    if (session) return { by: 'session', id: session.id, usedAt: session.usedAt }
    const link = ids.link && linkIn(found, ids.link, now)
    if (link) return { by: 'link', id: link.id }
    const passkey = ids.device && passkeyOfDevice(found, ids.device)
    return passkey ? { by: 'device', id: passkey.deviceId } : undefined
  }

  function forward(pass: Pass, request: IncomingMessage, response: ServerResponse) {
    // The browser has left meanwhile.
    if (response.destroyed) return
    const session = !isClosing && hasRoom(pass) ? desk.connect() : undefined
    if (!session) return unreachable(response)
    let stream: ClientHttp2Stream
    try {
      stream = session.request(forwarded(pass, request), { endStream: !hasBody(request) })
    } catch {
      // It ended a moment ago, or the browser sent what cannot be sent on.
      return unreachable(response)
    }
    const id = pass.by === 'session' ? pass.id : undefined
    const one: Open = { id, stream, isEndless: false }
    open.set(response, one)
    watch ??= setInterval(look, Math.max(LOOK_EVERY_MS, believedMs)).unref()
    const isAct = request.method !== 'GET' && request.method !== 'HEAD'
    const late = setTimeout(
      () => {
        // What takes so long may be what was asked for: it is not ended in the middle.
        if (!isAct) desk.isSilent()
        stream.close()
      },
      // Whoever has only a link cannot keep a place for long.
      isAct && id !== undefined ? answerWithinMs.act : answerWithinMs.look,
    )
    stream.on('response', ({ ':status': status = 502, ...headers }) => {
      clearTimeout(late)
      desk.isWell()
      one.isEndless = String(headers['content-type']).startsWith('text/event-stream')
      response.writeHead(status, headers as OutgoingHttpHeaders)
      // The first event of a stream may be a while off.
      response.flushHeaders()
      stream.pipe(response)
    })
    stream
      .on('error', () => {})
      .on('close', () => {
        if (!response.headersSent) unreachable(response, isAct)
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
    if (!hasBody(request)) return
    readPast(request, BODY_BYTES)
    request.pipe(stream)
  }

  function hasRoom({ by }: Pass): boolean {
    if (open.size >= MOST_OPEN) return false
    if (by === 'session') return true
    return [...open.values()].filter(({ id }) => id === undefined).length < MOST_OUTSIDE
  }

  /** Ends answers that go on, such as streams of events, when their session has ended. */
  async function look() {
    const found = await looks.now().catch(() => undefined)
    if (!found) return
    for (const [response, one] of open)
      if (one.id !== undefined && !sessionIn(found, one.id, Date.now())) finish(response, one)
  }

  return {
    take(request, response, otherwise) {
      const match = DESK.exec(request.url ?? '')
      if (!match) return false
      const ids = shown(request.headers, match[1])
      if (!ids.session && !ids.link && !ids.device) return false
      looks
        .find((found) => passOf(found, ids))
        .then(
          (pass) => {
            if (!pass) return otherwise()
            logAnswer(log, { method: request.method ?? '', route: '/desk' }, response)
            forward(pass, request, response)
          },
          (fault: unknown) => {
            if (!(fault instanceof StoreUnavailable)) log.error({ err: fault }, 'the desk failed')
            unreachable(response)
          },
        )
        .catch((fault: unknown) => {
          log.error({ err: fault }, 'the desk failed')
          unreachable(response)
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

/** What belongs to one connection, or is for the server alone to say. */
const OWN =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|http2-settings|host|x-desk-.*)$/

function forwarded(pass: Pass, { method, url, headers }: IncomingMessage) {
  const kept = Object.entries(headers).filter(([name]) => !OWN.test(name))
  return {
    ...Object.fromEntries(kept),
    ':method': method,
    ':path': url,
    ':authority': headers.host ?? '',
    [deskHeaders.by]: pass.by,
    [deskHeaders.id]: pass.id,
    ...(pass.by === 'session' && { [deskHeaders.usedAt]: String(pass.usedAt) }),
  }
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Looks at who may open the desk, seldom enough where each look is paid for. */
function looksInto(access: DeskGateOptions['access'], believedMs: number) {
  let last: { found: Promise<DeskAccessState>; at: number } | undefined

  function fresh(): Promise<DeskAccessState> {
    const found = access.deskAccess()
    const look = { found, at: performance.now() }
    last = look
    found.catch(() => {
      if (last === look) last = undefined
    })
    return found
  }

  const now = () => (last && performance.now() - last.at < believedMs ? last.found : fresh())

  /** Waits until a look is due again: once for all who wait. */
  let next: Promise<DeskAccessState> | undefined
  function again() {
    const pause = Math.max(0, (last?.at ?? 0) + LOOK_AGAIN_MS - performance.now())
    next ??= sleep(pause).then(() => {
      next = undefined
      return fresh()
    })
    return next
  }

  return {
    now,
    async find<T>(pick: (found: DeskAccessState) => T | undefined): Promise<T | undefined> {
      const known = pick(await now())
      // What we signed and do not know may be new, such as the session of a link just used.
      return known ?? (believedMs > 0 ? pick(await again()) : undefined)
    },
  }
}

/** The one page of the desk that the server has. */
const pageOf = (title: string, text: string) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>The desk</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="dark">
<h1>${title}</h1><p>${text}</p>`
const UNREACHABLE = pageOf('The desk cannot be reached', 'Try again in a moment.')
const UNANSWERED = pageOf(
  'The desk has not answered',
  'It may still be going on, or be done already. Go back and look before you do it again.',
)

/** @param isAsked whether the desk was asked to do something, and may do it. */
function unreachable(response: ServerResponse, isAsked = false) {
  if (response.headersSent || response.destroyed) return
  response.writeHead(503, {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'same-origin',
    ...(!isAsked && { 'retry-after': '2' }),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  })
  response.end(isAsked ? UNANSWERED : UNREACHABLE)
}
