import type { FastifyInstance } from 'fastify'
import type { AnswerTokens } from '../../keys/answer-tokens.ts'
import { askingTokens } from '../../keys/unsubscribe-token.ts'
import { answerPath } from '../../shared/api.ts'
import { type Ask, replyTo } from '../../shared/reply.ts'
import { type AnswerPageStep, answerPageSteps, site } from '../../site/site.ts'
import type { Store } from '../../store/store.ts'
import type { BodySchema } from '../http/body-schema.ts'
import type { BuiltLanguage } from '../http/built-languages.ts'
import { readForms } from '../http/form-fields.ts'
import { type LinkRoute, linkPages } from '../http/link-pages.ts'
import type { FormLimit } from '../http/rate-limits.ts'

/** The question of the page, and who may answer it. */
export interface Asking {
  readonly answers: Store['answers']
  readonly tokens: AnswerTokens
  /** In the language of a path, such as `/de`, and in the first. */
  readonly askIn: (path: string) => { readonly asked: Ask; readonly first: Ask }
}

interface AnswerOptions {
  readonly asking?: Asking | undefined
  /** Signs the links of letters that have the question. */
  readonly linkKey: Buffer
  /** The folder that the build's folder is in. */
  readonly root: string
  readonly language: BuiltLanguage
  readonly formsPerMinute: FormLimit
}

const body: BodySchema = { type: 'object', properties: { said: { type: 'string' } } }

/**
 * `/answer/TOKEN`: GET asks the question, POST keeps the answer. The token alone grants access: that of
 * a letter, or of a sign-up in the last hour. One that did not bring somebody gets one as well, and the
 * same answers; nothing is kept of what they say.
 */
export async function answerRoutes(
  app: FastifyInstance,
  { asking, linkKey, root, language, formsPerMinute }: AnswerOptions,
) {
  if (!asking) return
  const { answers, tokens, askIn } = asking
  const letterTokens = askingTokens(linkKey, 'question')
  const { path, headers } = language
  const files = answerPageSteps.map((step) => [step, site.answerPage(step, path)] as const)
  const statuses = { wrong: 422, ended: 410, broken: 404 }
  const send = linkPages<AnswerPageStep>(app, root, files, statuses, headers.plain)
  const { asked, first } = askIn(path)
  /** What a token lets somebody do. @returns the step that says why, for one that lets nobody answer. */
  function meant(token: string): AnswerPageStep | Meant {
    const addressId = letterTokens.read(token)
    if (addressId !== undefined)
      return { ask: 'letter', keep: (answer) => answers.keepFromLetter(addressId, answer) }
    const found = tokens.open(token)
    if (!found) return token.length > LETTER_TOKEN ? 'ended' : 'broken'
    const { email, key } = found
    return { ask: 'ask', keep: (answer) => answers.keep(email, answer, key) }
  }

  await readForms(app)

  const url = `${answerPath}/*`
  app.get<LinkRoute>(url, (request, reply) => {
    const found = meant(request.params['*'])
    return send(reply, typeof found === 'string' ? found : found.ask)
  })
  app.post<LinkRoute & { Body: { said?: string } | null }>(
    url,
    { ...formsPerMinute, schema: { body } },
    async (request, reply) => {
      const found = meant(request.params['*'])
      if (typeof found === 'string') return send(reply, found)
      const answer = replyTo(request.body?.said, asked, first)
      if (answer === undefined) return send(reply, 'wrong')
      await found.keep(answer)
      return send(reply, 'done')
    },
  )
}

/** The characters of a letter's token: a shorter one has lost its end. */
const LETTER_TOKEN = 44

interface Meant {
  readonly ask: AnswerPageStep
  readonly keep: (answer: string) => Promise<void>
}
