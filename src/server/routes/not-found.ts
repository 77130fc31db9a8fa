import type { FastifyReply, FastifyRequest } from 'fastify'
import { site } from '../../site/site.ts'
import type { BuiltLanguages } from '../http/built-languages.ts'
import { sendJsonRefusal, toRefusal } from '../http/refusal.ts'
import { bestVariant } from '../http/site-file.ts'
import type { SiteFiles } from './site-files.ts'

/**
 * The 404 answer: a page for a navigation of a browser, JSON for everything else. The page is in the
 * language of the path, if it has one.
 */
export function notFoundPage(files: SiteFiles, languages: BuiltLanguages) {
  const pageAt = (url: string) => {
    const { path = '' } = languages.find(({ path }) => url.startsWith(`${path}/`)) ?? {}
    return files.get(`${path}/${site.notFoundPage}`)
  }

  return {
    send(error: unknown, request: FastifyRequest, reply: FastifyReply) {
      const {
        accept = '',
        'accept-encoding': encodings,
        'accept-language': asked,
      } = request.headers
      const page = pageAt(request.url)
      // Browsers accept `text/html` for navigations, but not for a page's fetches.
      if (!page || !accept.includes('text/html')) return sendJsonRefusal(error, request, reply)
      const inLanguage = page.inLanguage?.(asked) ?? page
      const { body, headers } = bestVariant(inLanguage, String(encodings ?? ''))
      const { etag: _, ...rest } = headers
      return reply.code(toRefusal(error, request).status).headers(rest).send(body)
    },
  }
}
