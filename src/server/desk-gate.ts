import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { DeskVisitorKind } from '../desk/contract/visitor.ts'
import { deskEventsKey, hashOfSecret } from '../keys/desk-tokens.ts'
import type { DeskAccess } from '../store/store.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'
import { doorPages, sayPlainly } from './desk-answers.ts'
import { unwrittenEnds } from './desk-ends.ts'
import { DeskForwarding, type DeskForwardingOptions } from './desk-forwarding.ts'
import type { DeskProcess } from './desk-process.ts'
import {
  codeIn,
  type DeskPass,
  hasBody,
  isFromElsewhere,
  isLook,
  linkState,
  type OwnTokens,
  passIn,
  visitorIds,
} from './desk-requests.ts'
import { logAnswer } from './http/log.ts'
import { requestRate } from './http/request-rate.ts'
import { bodyReader } from './http/whole-body.ts'

export interface DeskGateOptions extends OwnTokens, Pick<DeskForwardingOptions, 'answerWithinMs'> {
  readonly access: Pick<DeskAccess, 'read' | 'change'>
  readonly process: DeskProcess
  /** The pages of a link, a file of the build. */
  readonly doors: string
  readonly log: FastifyBaseLogger
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
/** More than a page with all of its files needs, or a search while typing. */
const rate = { burst: 400, perSecond: 40 }
const MiB = 1024 * 1024

/** Reads bodies. Their limits are 13 MiB in all, separate for each kind. */
const bodyReaders = () => ({
  // Twice the desk's own limit, so that the desk itself can answer that a body is too long.
  session: bodyReader({ bytes: 2 * MiB, allBytes: 12 * MiB, withinMs: 20_000 }),
  // A code, or a whole pasted link.
  link: bodyReader({ bytes: MiB / 256, allBytes: MiB, withinMs: 10_000 }),
})

/**
 * Guards the desk. A request without a session or a link gets the answer
 * of an unknown path, by the same code; a token that we did not sign is not even looked up. A
 * request with the path of a link but without its code is answered here, and reaches nothing
 * behind.
 */
export function deskGate({ access, process: desk, log, ...options }: DeskGateOptions): DeskGate {
  const eventsKey = deskEventsKey(options.linkKey)
  const idsIn = visitorIds(options)
  const ends = unwrittenEnds(access, log)
  const read = async () => ends.in(await access.read())
  const forwarding = new DeskForwarding({ desk, read, end: ends.add, ...options })
  const showDoor = doorPages(options.doors)
  const readBody: Readonly<Record<DeskVisitorKind, ReturnType<typeof bodyReader>>> = bodyReaders()
  const isWithin = requestRate(rate)

  async function letIn(
    pass: DeskPass,
    request: IncomingMessage,
    response: ServerResponse,
    otherwise: () => void,
  ) {
    if (pass.by === 'link') {
      const state = linkState(pass.link, Date.now())
      if (!isLook(request) && request.method !== 'POST') return otherwise()
      if (isLook(request) || state !== 'open') return showDoor(request, response, state)
    } else if (!isWithin(pass.id)) return sayPlainly(request, response, 429)
    const body = hasBody(request) ? await readBody[pass.by](request, response) : Buffer.of()
    if (typeof body === 'number') return sayPlainly(request, response, body)
    if (!body) return
    // No limit on tries: a code has 256 bits, and comparing it costs nothing.
    if (pass.by === 'link' && hashOfSecret(codeIn(body)) !== pass.link.secretHash)
      return showDoor(request, response, 'wrong-code')
    forwarding.forward(pass, request, response, body)
  }

  return {
    take(request, response, otherwise) {
      const match = DESK.exec(request.url ?? '')
      if (!match) return false
      const ids = idsIn(request.headers, match[1])
      if (isFromElsewhere(request, ids.session && eventsKey(ids.session))) return false
      if (!ids.session && !ids.link) return false
      const answer = async () => {
        const pass = passIn(await read(), ids, Date.now())
        if (!pass) return otherwise()
        logAnswer(log, { method: request.method ?? '', route: '/desk' }, response)
        await letIn(pass, request, response, otherwise)
      }
      answer().catch((fault: unknown) => {
        if (!(fault instanceof StoreUnavailable)) log.error({ err: fault }, 'the desk failed')
        sayPlainly(request, response, 'unreachable')
      })
      return true
    },
    async close() {
      await forwarding.close()
      await desk.close()
      await ends.close()
    },
  }
}
