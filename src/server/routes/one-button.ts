import type { FastifyInstance } from 'fastify'
import { askingTokens, type LinkTokens, unsubscribeTokens } from '../../keys/unsubscribe-token.ts'
import { paths } from '../../shared/api.ts'
import { lettersThatAsk } from '../../shared/asked-by-letter.ts'
import { type OneButtonPage, type OneButtonStep, oneButtonSteps, site } from '../../site/site.ts'
import type { Standings } from '../../store/store.ts'
import type { BuiltLanguage } from '../http/built-languages.ts'
import { type LinkRoute, linkPages } from '../http/link-pages.ts'

interface OneButton {
  readonly page: OneButtonPage
  /** The path that its links have before the token. */
  readonly at: string
  readonly tokensOf: (linkKey: Buffer) => LinkTokens
  /** What a press does. Repeated, it changes nothing more. @throws StoreUnavailable */
  readonly press: keyof Suppressions
}

type Suppressions = Pick<Standings, 'unsubscribe' | 'stayInterested'>

interface OneButtonOptions {
  readonly suppressions: Suppressions
  readonly linkKey: Buffer
  /** The folder that the build's folder is in. */
  readonly root: string
  readonly language: Pick<BuiltLanguage, 'path'>
}

export const oneButtonRoutes = [
  oneButton({
    page: 'unsubscribe',
    at: paths.unsubscribe,
    tokensOf: unsubscribeTokens,
    press: 'unsubscribe',
  }),
  oneButton({
    page: 'still-interested',
    at: lettersThatAsk['still-interested'].path,
    tokensOf: (linkKey) => askingTokens(linkKey, 'still-interested'),
    press: 'stayInterested',
  }),
]

/**
 * The target of a link in a letter that has one button: GET shows a page with it, POST presses it, as
 * RFC 8058 has it for unsubscribe links. Mail providers post from their own servers, many times from
 * one address. So there is no check of origin or session, and no rate limit. A token that we did not
 * sign is answered as a broken link, so that a reader with a truncated link does not believe that it
 * worked. This reveals nothing about any address.
 */
function oneButton({ page, at, tokensOf, press }: OneButton) {
  return async (
    app: FastifyInstance,
    { suppressions, linkKey, root, language }: OneButtonOptions,
  ) => {
    const tokens = tokensOf(linkKey)
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
      await suppressions[press](addressId)
      return send(reply, 'done')
    })
  }
}
