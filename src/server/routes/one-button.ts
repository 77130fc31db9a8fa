import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { LinkTokens } from '../../keys/unsubscribe-token.ts'
import { type OneButtonPage, type OneButtonStep, oneButtonSteps, site } from '../../site/site.ts'
import { type LinkRoute, sendLinkPage } from '../http/link-pages.ts'
import { toRefusal } from '../http/refusal.ts'

export interface OneButtonOptions {
  readonly page: OneButtonPage
  /** The path that its links have before the token. */
  readonly at: string
  readonly tokens: LinkTokens
  /** What a press does. Repeated, it changes nothing more. @throws StoreUnavailable */
  readonly press: (addressId: string) => Promise<void>
  /** The folder that the build's folder is in. */
  readonly root: string
  /** The path of the language that its pages are in. */
  readonly path: string
}

/**
 * The target of a link in a letter that has one button: GET shows a page with it, POST presses it, as
 * RFC 8058 has it for unsubscribe links. Mail providers post from their own servers, many times from
 * one address. So there is no check of origin or session, and no rate limit. A token that we did not
 * sign is answered as a broken link, so that a reader with a truncated link does not believe that it
 * worked. This reveals nothing about any address.
 */
export async function oneButtonRoutes(
  app: FastifyInstance,
  { page, at, tokens, press, root, path }: OneButtonOptions,
) {
  const pages = new Map(
    oneButtonSteps.map((step) => [
      step,
      readFileSync(join(root, site.oneButtonPage(page, step, path))),
    ]),
  )
  const send = (reply: FastifyReply, step: OneButtonStep, status = 200) =>
    sendLinkPage(reply, status, pages.get(step))

  // Only the token counts. The body, whether form or multipart, is discarded.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null))

  app.setErrorHandler((error, request, reply) =>
    send(reply, 'unavailable', toRefusal(error, request).status),
  )

  const url = `${at}/*`
  app.get<LinkRoute>(url, (request, reply) =>
    tokens.read(request.params['*']) ? send(reply, 'ask') : send(reply, 'broken', 404),
  )
  app.post<LinkRoute>(url, async (request, reply) => {
    const addressId = tokens.read(request.params['*'])
    if (addressId === undefined) return send(reply, 'broken', 404)
    await press(addressId)
    return send(reply, 'done')
  })
}
