import type { FastifyRequest } from 'fastify'
import { type Source, sourceIn } from '../../shared/source.ts'

/**
 * Where whoever signs up came from. Our referrer policy sends the page's whole URL along with what
 * the page posts, with script and without. A form on a page that answered one has it in its URL.
 */
export function sourceOf(request: FastifyRequest): Source | undefined {
  return sourceIn(request.url) ?? sourceIn(request.headers.referer)
}
