import type { FastifyRequest } from 'fastify'
import { type Source, sourceIn } from '../../shared/source.ts'

/**
 * The source of a sign-up. By our referrer policy, the page's posts carry its whole URL, with
 * script and without. A form on an outcome page has it in its own URL.
 */
export function sourceOf(request: FastifyRequest): Source | undefined {
  return sourceIn(request.url) ?? sourceIn(request.headers.referer)
}
