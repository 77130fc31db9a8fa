import type { ServerResponse } from 'node:http'
import {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { destination, pino } from 'pino'
import { faultReport } from '../../shared/fault-report.ts'

/** How the log describes requests, answers and errors. */
export const serializers = { req: describe, res: () => undefined, err: faultReport }

/** The server's log, as lines of JSON on standard error. */
export function createLog(level: string): FastifyBaseLogger {
  return pino({ level, serializers }, destination(2))
}

/** Logs the pattern of the route instead of the URL, since a URL may contain an e-mail address. */
function describe(request: FastifyRequest) {
  return { method: request.method, route: request.routeOptions?.url ?? null }
}

const LEVELS_WITH_REQUESTS = ['debug', 'trace']

/** One line for each finished request, at `debug` only. */
export class RequestLog extends LogController {
  override incomingRequest() {}
  override routeNotFound() {}

  override requestCompleted(_error: unknown, request: FastifyRequest, reply: FastifyReply) {
    if (!logsRequests(request.log)) return
    const ms = Math.round(reply.elapsedTime)
    request.log.debug({ ...describe(request), status: reply.statusCode, ms }, 'answered')
  }
}

/** The same line for an answer that Fastify did not send. @param route a pattern, not a URL. */
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
