import type { FastifyInstance } from 'fastify'
import type { LinkTokens } from '../../keys/unsubscribe-token.ts'
import { type OneButtonStep, oneButtonSteps, site } from '../../site/site.ts'
import type { BuiltLanguage } from './built-languages.ts'
import { type LinkRoute, linkPages } from './link-pages.ts'

interface OneButton {
  /** As its files are called. */
  readonly page: string
  /** The path that its links have before the token. */
  readonly at: string
  readonly tokens: LinkTokens
  /** What a press does. Repeated, it changes nothing more. @throws StoreUnavailable */
  readonly press: (addressId: string) => Promise<void>
  /** The folder that the build's folder is in. */
  readonly root: string
  readonly language: Pick<BuiltLanguage, 'path'>
}

/**
 * The target of a link in a letter that has one button: GET shows a page with it, POST presses it, as
 * RFC 8058 has it for unsubscribe links. Mail providers post from their own servers, many times from
 * one address. So there is no check of origin or session, and no rate limit. A token that we did not
 * sign is answered as a broken link, so that a reader with a truncated link does not believe that it
 * worked. This reveals nothing about any address.
 */
export async function oneButton(
  app: FastifyInstance,
  { page, at, tokens, press, root, language }: OneButton,
) {
  const fileOf = (step: OneButtonStep) => site.linkPage(page, step, language.path)
  const files = oneButtonSteps.map((step) => [step, fileOf(step)] as const)
  const send = linkPages<OneButtonStep>(app, root, files, { broken: 404 })

  // Only the token counts. The body, whether form or multipart, is discarded.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null))

  const url = `${at}/*`
  app.get<LinkRoute>(url, (request, reply) =>
    send(reply, tokens.read(request.params['*']) ? 'ask' : 'broken'),
  )
  app.post<LinkRoute>(url, async (request, reply) => {
    const addressId = tokens.read(request.params['*'])
    if (addressId === undefined) return send(reply, 'broken')
    await press(addressId)
    return send(reply, 'done')
  })
}
