import type { FastifyReply, FastifyRequest } from 'fastify'
import { site } from '../../site/site.ts'
import { sendJsonRefusal, toRefusal } from '../http/refusal.ts'
import { bestVariant, type SiteFiles } from './site-files.ts'

/** What is said where there is nothing: a page to a person, JSON to everything else. */
export function notFoundPage(files: SiteFiles) {
  const page = files.get(`/${site.notFoundPage}`)

  return {
    send(error: unknown, request: FastifyRequest, reply: FastifyReply) {
      const { accept = '', 'accept-encoding': encodings } = request.headers
      // Browsers name it when somebody goes to an address, and not for what a page fetches.
      if (!page || !accept.includes('text/html')) return sendJsonRefusal(error, request, reply)
      const { body, headers } = bestVariant(page, String(encodings ?? ''))
      const { etag: _, ...rest } = headers
      return reply.code(toRefusal(error, request).status).headers(rest).send(body)
    },
  }
}
