import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { unsubscribeTokens } from '../../keys/unsubscribe-token.ts'
import { paths } from '../../shared/api.ts'
import { site, type UnsubscribeStep, unsubscribeSteps } from '../../site/site.ts'
import type { Standings } from '../../store/standing.ts'
import { toRefusal } from '../http/refusal.ts'

export interface UnsubscribeOptions {
  readonly suppressions: Pick<Standings, 'unsubscribe'>
  readonly linkKey: Buffer
  /** The folder that the build's folder is in. */
  readonly root: string
  /** The path of the language that its pages are in. */
  readonly path: string
}

/**
 * The target of unsubscribe links: GET shows a page with a button, POST unsubscribes (RFC 8058).
 * Mail providers post from their own servers, many times from one address. So there is no check of
 * origin or session, and no rate limit. A token that we did not sign is answered as a broken link,
 * so that a reader with a truncated link does not believe to be unsubscribed. This reveals nothing
 * about any address.
 */
export async function unsubscribeRoutes(
  app: FastifyInstance,
  { suppressions, linkKey, root, path }: UnsubscribeOptions,
) {
  const tokens = unsubscribeTokens(linkKey)
  const pages = new Map(
    unsubscribeSteps.map((step) => [
      step,
      readFileSync(join(root, site.unsubscribePage(step, path))),
    ]),
  )
  const send = (reply: FastifyReply, step: UnsubscribeStep) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(pages.get(step))

  // Only the token counts. The body, whether form or multipart, is discarded.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null))

  app.setErrorHandler((error, request, reply) =>
    send(reply.code(toRefusal(error, request).status), 'unavailable'),
  )

  const url = `${paths.unsubscribe}/*`
  app.get<Link>(url, (request, reply) =>
    tokens.read(request.params['*']) ? send(reply, 'ask') : send(reply.code(404), 'broken'),
  )
  app.post<Link>(url, async (request, reply) => {
    const addressId = tokens.read(request.params['*'])
    if (addressId === undefined) return send(reply.code(404), 'broken')
    await suppressions.unsubscribe(addressId)
    return send(reply, 'done')
  })
}

interface Link {
  Params: { '*': string }
}
