import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiError } from '../../shared/api.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import data from './statuses.json' with { type: 'json' }

/** Of each code. */
const statuses: Readonly<Record<ApiError, number>> = data

/** Thrown by a hook or handler to refuse a request; the error handler of its scope answers. */
export class Refusal extends Error {
  readonly code: ApiError

  constructor(code: ApiError) {
    super(code)
    this.code = code
  }
}

interface RefusedAt {
  readonly log: Pick<FastifyBaseLogger, 'error'>
  /** With the pattern of the route. */
  readonly routeOptions: { readonly url?: string | undefined }
}

/**
 * The status and code for anything thrown while a request was handled. A fault of ours is logged.
 */
export function toRefusal(error: unknown, request: RefusedAt): { code: ApiError; status: number } {
  const code = codeOf(error)
  if (code === 'internal') request.log.error({ err: error, route: request.routeOptions.url }, code)
  return { code, status: statuses[code] }
}

function codeOf(error: unknown): ApiError {
  if (error instanceof Refusal) return error.code
  if (error instanceof StoreUnavailable) return 'database-unavailable'
  // Fastify's own errors have a status. Their messages quote the request, so they are never logged.
  const status = (error as { statusCode?: number }).statusCode ?? 500
  const known = (Object.keys(statuses) as ApiError[]).find((code) => statuses[code] === status)
  return known ?? (status < 500 ? 'bad-request' : 'internal')
}

/** Answers an error as `{ "error": code }`. */
export function sendJsonRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { code, status } = toRefusal(error, request)
  return reply.code(status).header('cache-control', 'no-store').send({ error: code })
}
