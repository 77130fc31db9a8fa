import type { IncomingMessage } from 'node:http'
import type { onRequestHookHandler } from 'fastify'

/** A hook that has a guard look at each request. @param look throws a Refusal where it refuses. */
export function guardHook(look: (request: IncomingMessage) => void): onRequestHookHandler {
  return ({ raw }, _reply, done) => {
    look(raw)
    done()
  }
}
