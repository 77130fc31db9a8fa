import type { ServerResponse } from 'node:http'
import {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { destination, pino } from 'pino'
import { faultReport } from './fault-report.ts'

/** How the log describes what it is given. */
export const serializers = { req: describe, res: () => undefined, err: faultReport }

/** The server's log, as lines of JSON on standard error. */
export function createLog(level: string): FastifyBaseLogger {
  return pino({ level, serializers }, destination(2))
}

/** The route's pattern instead of the URL: what visitors type into one may be an address. */
function describe(request: FastifyRequest) {
  return { method: request.method, route: request.routeOptions?.url ?? null }
}

const LEVELS_WITH_REQUESTS = ['debug', 'trace']

/** One line for a request, when it is over and only at `debug`: sign-ups are not for reading live. */
export class RequestLog extends LogController {
  override incomingRequest() {}
  override routeNotFound() {}

  override requestCompleted(_error: unknown, request: FastifyRequest, reply: FastifyReply) {
    if (!logsRequests(request.log)) return
    const ms = Math.round(reply.elapsedTime)
    request.log.debug({ ...describe(request), status: reply.statusCode, ms }, 'answered')
  }
}

/** The same line for an answer that the framework has no part in. @param route no URL, see above. */
export function logAnswer(
  log: FastifyBaseLogger,
  request: { readonly method: string; readonly route: string },
  response: ServerResponse,
) {
  if (!logsRequests(log)) return
  const began = performance.now()
  response.on('finish', () => {
    const ms = Math.round(performance.now() - began)
    log.debug({ ...request, status: response.statusCode, ms }, 'answered')
  })
}

const logsRequests = (log: FastifyBaseLogger) => LEVELS_WITH_REQUESTS.includes(log.level)
