import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { paths, type SessionBody } from '../../shared/api.ts'
import { Refusal } from '../http/refusal.ts'
import { newUid, type SessionCookie } from '../http/session-cookie.ts'

/** Anonymous sessions: a signed cookie with a uid. Nothing is stored on the server. */
export interface Sessions {
  /** The visitor's uid, if the request brings a cookie that we signed. */
  uidOf(request: Pick<IncomingMessage, 'headers'>): string | undefined
  /** Gives the visitor a new uid. */
  signIn(reply: FastifyReply): string
  /** The same. @throws Refusal where there is none */
  required(request: Pick<IncomingMessage, 'headers'>): string
}

export function createSessions(cookie: SessionCookie): Sessions {
  const uidOf: Sessions['uidOf'] = ({ headers }) => cookie.read(headers.cookie)

  return {
    uidOf,
    signIn(reply) {
      const uid = newUid()
      reply.header('set-cookie', cookie.write(uid))
      return uid
    },
    required(request) {
      const uid = uidOf(request)
      if (uid === undefined) throw new Refusal('no-session')
      return uid
    },
  }
}

/** `GET /api/session` answers with the visitor's uid; `POST` signs in a visitor who has none. */
export async function sessionRoutes(
  app: FastifyInstance,
  {
    sessions,
    sameOrigin,
    onVisit,
  }: {
    sessions: Sessions
    sameOrigin: onRequestHookHandler
    /** Called when the page starts in a browser: this is the first call that no cache answers. */
    onVisit?: ((request: FastifyRequest) => void) | undefined
  },
) {
  const body = (uid: string | undefined): SessionBody => ({
    user: uid ? { uid, isAnonymous: true } : null,
  })

  app.get(paths.session, async (request, reply) => {
    if (request.method === 'GET') onVisit?.(request)
    reply.header('cache-control', 'no-store')
    return body(sessions.uidOf(request))
  })

  app.post(paths.session, { onRequest: sameOrigin }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    return body(sessions.uidOf(request) ?? sessions.signIn(reply))
  })
}
