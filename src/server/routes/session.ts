import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { paths, type SessionBody } from '../../shared/api.ts'
import { Refusal } from '../http/refusal.ts'
import type { SessionCookie } from '../http/session-cookie.ts'

/** Anonymous visitors, each known by a signed cookie; nothing is kept about them. */
export interface Sessions {
  /** The visitor's uid, if the request brings a cookie that we signed. */
  uidOf(request: FastifyRequest): string | undefined
  /** Gives the visitor a new uid. */
  signIn(reply: FastifyReply): string
  /** A hook that refuses who is not signed in. */
  required: onRequestHookHandler
}

export function createSessions(cookie: SessionCookie): Sessions {
  const uidOf = (request: FastifyRequest) => cookie.read(request.headers.cookie)

  return {
    uidOf,
    signIn(reply) {
      const uid = randomUUID()
      reply.header('set-cookie', cookie.write(uid))
      return uid
    },
    required(request, _reply, done) {
      done(uidOf(request) ? undefined : new Refusal('no-session'))
    },
  }
}

/** `GET /api/session` says who the visitor is; `POST` signs in who is nobody yet. */
export function sessionRoutes(
  app: FastifyInstance,
  { sessions, sameOrigin }: { sessions: Sessions; sameOrigin: onRequestHookHandler },
) {
  const body = (uid: string | undefined): SessionBody => ({
    user: uid ? { uid, isAnonymous: true } : null,
  })

  app.get(paths.session, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    return body(sessions.uidOf(request))
  })

  app.post(paths.session, { onRequest: sameOrigin }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    return body(sessions.uidOf(request) ?? sessions.signIn(reply))
  })
}
