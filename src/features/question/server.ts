import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { languagesOf } from '../../product/languages.ts'
import { askOf } from '../../shared/product.ts'
import { replyTo } from '../../shared/reply.ts'
import { site } from '../../site/site.ts'
import type { ServerGiven, ServerPart } from '../feature.ts'
import { replyRoutes } from './reply-routes.ts'
import { replyKey, replyTokens } from './reply-tokens.ts'

/** Asks what the page was built to ask. What came into the founder's file since is not asked yet. */
export function serverPart({ store, linkKey, root, product }: ServerGiven): ServerPart {
  const languages = languagesOf(product)
  const first = askOf(product)
  if (!first || !existsSync(join(root, site.linkPage('answer', 'ask', languages[0].path))))
    return {}
  const asked = new Map(languages.map((one) => [one.path, askOf(one.product)]))
  const read = (said: unknown, path: string) => replyTo(said, asked.get(path) ?? first, first)
  const { replies } = store
  const tokens = replyTokens(linkKey)
  return {
    linkRoutes: (app, { language, formsPerMinute }) =>
      replyRoutes(app, { replies, tokens, read, linkKey, root, language, formsPerMinute }),
    asks: {
      letReply(email) {
        const key = replyKey()
        return { key, token: tokens.seal({ email, key }) }
      },
      async keepReply(addressId, said, path) {
        const reply = read(said, path)
        if (reply !== undefined) await replies.keepFromLetter(addressId, reply)
        return reply !== undefined
      },
    },
  }
}
