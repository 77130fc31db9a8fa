import type { FastifyInstance } from 'fastify'
import { askingTokens } from '../../keys/unsubscribe-token.ts'
import type { FormParts } from '../../server/http/answer-forms.ts'
import type { BodySchema } from '../../server/http/body-schema.ts'
import { readForms } from '../../server/http/form-fields.ts'
import { type LinkRoute, linkPages } from '../../server/http/link-pages.ts'
import { replyPath } from '../../shared/api.ts'
import { site } from '../../site/site.ts'
import type { Store } from '../../store/store.ts'
import type { ReplyTokens } from './reply-tokens.ts'
import { type ReplyStep, replySteps } from './steps.ts'

interface ReplyOptions extends Pick<FormParts, 'root' | 'language' | 'formsPerMinute'> {
  readonly replies: Store['replies']
  readonly tokens: ReplyTokens
  /** What somebody said as a reply, on the page of a path such as `/de`; nothing where it is none. */
  readonly read: (said: unknown, path: string) => string | undefined
  /** Signs the links of letters that have the question. */
  readonly linkKey: Buffer
}

const body: BodySchema = { type: 'object', properties: { said: { type: 'string' } } }

/**
 * `/answer/TOKEN`: GET asks the question, POST keeps the reply. The token alone grants access: that of
 * a letter, or of a sign-up in the last hour. One that did not bring somebody gets one as well, and the
 * same answers; nothing is kept of what they say.
 */
export async function replyRoutes(
  app: FastifyInstance,
  { replies, tokens, read, linkKey, root, language, formsPerMinute }: ReplyOptions,
) {
  const letterTokens = askingTokens(linkKey, 'question')
  const { path, headers } = language
  const files = replySteps.map((step) => [step, site.linkPage('answer', step, path)] as const)
  const statuses = { wrong: 422, ended: 410, broken: 404 }
  const send = linkPages<ReplyStep>(app, root, files, statuses, headers.plain)
  /** What a token lets somebody do. @returns the step that says why, for one that lets nobody reply. */
  function meant(token: string): ReplyStep | Meant {
    const addressId = letterTokens.read(token)
    if (addressId !== undefined)
      return { ask: 'letter', keep: (reply) => replies.keepFromLetter(addressId, reply) }
    const found = tokens.open(token)
    if (!found) return token.length > LETTER_TOKEN ? 'ended' : 'broken'
    const { email, key } = found
    return { ask: 'ask', keep: (reply) => replies.keep(email, reply, key) }
  }

  await readForms(app)

  const url = `${replyPath}/*`
  app.get<LinkRoute>(url, (request, answer) => {
    const found = meant(request.params['*'])
    return send(answer, typeof found === 'string' ? found : found.ask)
  })
  app.post<LinkRoute & { Body: { said?: string } | null }>(
    url,
    { ...formsPerMinute, schema: { body } },
    async (request, answer) => {
      const found = meant(request.params['*'])
      if (typeof found === 'string') return send(answer, found)
      const reply = read(request.body?.said, path)
      if (reply === undefined) return send(answer, 'wrong')
      await found.keep(reply)
      return send(answer, 'done')
    },
  )
}

/** The characters of a letter's token: a shorter one has lost its end. */
const LETTER_TOKEN = 44

interface Meant {
  readonly ask: ReplyStep
  readonly keep: (reply: string) => Promise<void>
}
