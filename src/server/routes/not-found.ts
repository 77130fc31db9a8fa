import type { FastifyReply, FastifyRequest } from 'fastify'
import { site } from '../../site/site.ts'
import { sendJsonRefusal, toRefusal } from '../http/refusal.ts'
import { bestVariant, type SiteFiles } from './site-files.ts'

/** The 404 answer: a page for a navigation of a browser, JSON for everything else. */
export function notFoundPage(files: SiteFiles) {
  const page = files.get(`/${site.notFoundPage}`)

  return {
    send(error: unknown, request: FastifyRequest, reply: FastifyReply) {
      const { accept = '', 'accept-encoding': encodings } = request.headers
      // Browsers accept `text/html` for navigations, but not for a page's fetches.
      if (!page || !accept.includes('text/html')) return sendJsonRefusal(error, request, reply)
      const { body, headers } = bestVariant(page, String(encodings ?? ''))
      const { etag: _, ...rest } = headers
      return reply.code(toRefusal(error, request).status).headers(rest).send(body)
    },
  }
}
