import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { paths, type SessionBody } from '../../shared/api.ts'
import { Refusal } from '../http/refusal.ts'
import { newUid, type SessionCookie } from '../http/session-cookie.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The visitor's uid, once it was read: checking the signature again would cost 5 µs. */
    uid: string | null | undefined
  }
}

/** Anonymous sessions: a signed cookie with a uid. Nothing is stored on the server. */
export interface Sessions {
  /** The visitor's uid, if the request brings a cookie that we signed. */
  uidOf(request: FastifyRequest): string | undefined
  /** Gives the visitor a new uid. */
  signIn(reply: FastifyReply): string
  /** A hook that refuses requests without a session. */
  required: onRequestHookHandler
}

export function createSessions(app: FastifyInstance, cookie: SessionCookie): Sessions {
  app.decorateRequest('uid')
  function uidOf(request: FastifyRequest) {
    if (request.uid === undefined) request.uid = cookie.read(request.headers.cookie) ?? null
    return request.uid ?? undefined
  }

  return {
    uidOf,
    signIn(reply) {
      const uid = newUid()
      reply.header('set-cookie', cookie.write(uid))
      return uid
    },
    required(request, _reply, done) {
      done(uidOf(request) ? undefined : new Refusal('no-session'))
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
