import type { onRequestHookHandler } from 'fastify'

/** A hook that gives these headers to each answer. */
export function withHeaders(headers: Readonly<Record<string, string>>): onRequestHookHandler {
  return (_request, reply, done) => {
    reply.headers(headers)
    done()
  }
}
