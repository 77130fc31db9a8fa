import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { ClientHttp2Stream } from 'node:http2'
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
import type { DeskProcess } from './desk-process.ts'
import { logAnswer } from './http/log.ts'

export interface DeskGateOptions {
  readonly access: Pick<DeskAccess, 'deskAccess'>
  readonly linkKey: Buffer
  readonly publicUrl: string | null
  readonly process: DeskProcess
  readonly log: FastifyBaseLogger
  /** How long what was read of the store is believed, in milliseconds. */
  readonly believedMs: number
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
const BODY_BYTES = 1024 * 1024
const LOOK_EVERY_MS = 2000

type Pass =
  | { readonly by: 'session'; readonly id: string; readonly usedAt: number }
  | { readonly by: 'link' | 'device'; readonly id: string }

/**
 * Stands before the desk. Who has no session, no live link and no device with a passkey is told what
 * any unknown path tells, by the same code; what nobody of us signed is not even looked up.
 */
export function deskGate(options: DeskGateOptions): DeskGate {
  const { access, linkKey, publicUrl, process: desk, log, believedMs } = options
  const tokens = deskTokens(linkKey)
  const cookies = deskCookies(publicUrl?.startsWith('https:') ?? false)
  const open = new Map<ServerResponse, { id: string; stream: ClientHttp2Stream }>()
  let known: { state: Promise<DeskAccessState>; until: number } | undefined
  let watch: NodeJS.Timeout | undefined

  function state(): Promise<DeskAccessState> {
    const now = performance.now()
    if (!known || known.until <= now) {
      known = { state: access.deskAccess(), until: now + believedMs }
      known.state.catch(() => {
        known = undefined
      })
    }
    return known.state
  }

  /** What a request shows that we have signed: ids by what they are of. */
  function shown({ method, headers }: IncomingMessage, link: string | undefined) {
    const ids: Partial<Record<DeskVisitorKind, string | undefined>> = {}
    const { cookie } = headers
    ids.session = idIn('session', cookies.session.read(cookie))
    ids.link = idIn('link', link)
    if (method === 'GET' || method === 'POST')
      ids.device = idIn('device', cookies.device.read(cookie))
    return ids
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
    const session = open.size < MOST_OPEN ? desk.connect() : undefined
    if (!session || session.destroyed) return unreachable(response)
    let stream: ClientHttp2Stream
    try {
      stream = session.request(forwarded(pass, request), { endStream: !hasBody(request) })
    } catch {
      return unreachable(response)
    }
    open.set(response, { id: pass.by === 'session' ? pass.id : '', stream })
    watch ??= setInterval(look, Math.max(LOOK_EVERY_MS, believedMs)).unref()
    stream.on('response', ({ ':status': status = 502, ...headers }) => {
      desk.isWell()
      response.writeHead(status, headers as OutgoingHttpHeaders)
      response.flushHeaders()
      stream.pipe(response)
    })
    stream
      .on('error', () => {})
      .on('close', () => {
        if (!response.headersSent) unreachable(response)
        else if (!response.writableEnded) response.destroy()
      })
    response.on('close', () => {
      stream.close()
      open.delete(response)
      if (open.size > 0) return
      clearInterval(watch)
      watch = undefined
      desk.isIdle()
    })
    if (hasBody(request)) sendBody(request, stream)
  }

  /** Ends answers that go on, such as streams of events, when their session has ended. */
  async function look() {
    const found = await state().catch(() => undefined)
    if (!found) return
    for (const [response, { id, stream }] of open)
      if (id && !sessionIn(found, id, Date.now())) {
        stream.close()
        response.destroy()
      }
  }

  return {
    take(request, response, otherwise) {
      const match = DESK.exec(request.url ?? '')
      if (!match) return false
      const ids = shown(request, match[1])
      if (!ids.session && !ids.link && !ids.device) return false
      logAnswer(log, { method: request.method ?? '', route: '/desk' }, response)
      state().then(
        (found) => {
          const pass = passOf(found, ids)
          if (pass) forward(pass, request, response)
          else otherwise()
        },
        () => unreachable(response),
      )
      return true
    },
    async close() {
      clearInterval(watch)
      for (const [response, { stream }] of open) {
        stream.close()
        response.destroy()
      }
      await desk.close()
    },
  }
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

function sendBody(request: IncomingMessage, stream: ClientHttp2Stream) {
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > BODY_BYTES) request.destroy()
  })
  request.pipe(stream)
}

/** The one page of the desk that the server has. */
const UNREACHABLE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>The desk</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="dark">
<h1>The desk cannot be reached</h1><p>Try again in a moment.</p>`

function unreachable(response: ServerResponse) {
  if (response.headersSent || response.destroyed) return
  response.writeHead(503, {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'same-origin',
    'retry-after': '2',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  })
  response.end(UNREACHABLE)
}
