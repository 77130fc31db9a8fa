import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ConfirmationLink, confirmationKeys } from '../../keys/confirmation-keys.ts'
import { byLink, type LinkStep, type Press, press, stepOf } from '../../people/press-button.ts'
import type { Found } from '../../people/requests.ts'
import { confirmPath } from '../../shared/api.ts'
import { replyTo } from '../../shared/reply.ts'
import {
  type ConfirmPageStep,
  confirmAnswerSteps,
  confirmPageSteps,
  site,
} from '../../site/site.ts'
import type { Requests } from '../../store/store.ts'
import type { BodySchema } from '../http/body-schema.ts'
import type { BuiltLanguage } from '../http/built-languages.ts'
import { readForms } from '../http/form-fields.ts'
import { type LinkRoute, linkPages } from '../http/link-pages.ts'
import type { Asking } from './answer.ts'

/** The client address of a request, if receipts keep it. */
export type KeptAddress = (request: FastifyRequest) => string | undefined

export interface ConfirmOptions {
  /** Left out where nobody was ever asked to confirm. */
  readonly answers?: Pick<Requests, 'changePending' | 'lookAt'> | undefined
  readonly linkKey: Buffer
  /** The folder that the build's folder is in. */
  readonly root: string
  readonly language: BuiltLanguage
  readonly keptAddress: KeptAddress
  /** What features say to who confirmed, by their address id, in the slot of the page. */
  readonly slotOf: (addressId: string) => string
  /** The question of the page, for those who have confirmed. */
  readonly asking?: Asking | undefined
}

const body: BodySchema = {
  type: 'object',
  properties: { answer: { type: 'string' }, code: { type: 'string' }, said: { type: 'string' } },
}

const url = `${confirmPath}/*`
const statuses = { ended: 410, wrong: 422, 'wrong-answer': 422 }

/**
 * The target of the link in a confirmation letter: GET shows, POST acts. Only the token grants
 * access, so there is no check of origin, session or rate, and the token must not leak.
 */
export async function confirmRoutes(
  app: FastifyInstance,
  { linkKey, root, language, keptAddress, asking, slotOf, ...given }: ConfirmOptions,
) {
  const requests = given.answers
  if (!requests) return
  const keys = confirmationKeys(linkKey)
  const { path } = language
  const files = [...confirmPageSteps, ...(asking ? confirmAnswerSteps : [])].map(
    (step) => [step, site.confirmPage(step, path)] as const,
  )
  const send = linkPages<ConfirmPageStep>(app, root, files, statuses, language.headers.confirm)

  const answer = (reply: FastifyReply, { step, isForNews }: LinkStep, addressId: string) => {
    if (step !== 'ask' && step !== 'done') return send(reply, step)
    const own = step === 'done' ? slotOf(addressId) : ''
    return send(reply, isForNews ? `news-${step}` : step, own)
  }

  const seen = async (link: ConfirmationLink) =>
    (await requests.lookAt(link.addressId, byLink(link, look))).result

  /** Only somebody who has confirmed is asked, and may answer again. */
  async function takeAnswer(
    reply: FastifyReply,
    { answers, askIn }: Asking,
    link: ConfirmationLink,
    said: string,
  ) {
    const { step } = await seen(link)
    if (step !== 'done') return send(reply, 'ended')
    const { asked, first } = askIn(path)
    const answer = replyTo(said, asked, first)
    if (answer !== undefined) await answers.keepFromLetter(link.addressId, answer)
    const next = answer === undefined ? 'wrong-answer' : 'answered'
    return send(reply, next, slotOf(link.addressId))
  }

  await readForms(app)

  app.get<LinkRoute>(url, async (request, reply) => {
    const link = keys.read(request.params['*'])
    if (!link) return send(reply, 'ended')
    return answer(reply, await seen(link), link.addressId)
  })
  app.post<LinkRoute & { Body: Pressed | null }>(
    url,
    { schema: { body } },
    async (request, reply) => {
      const link = keys.read(request.params['*'])
      if (!link) return send(reply, 'ended')
      const { addressId } = link
      const { said } = request.body ?? {}
      if (asking && said !== undefined) return takeAnswer(reply, asking, link, said)
      const pressed = pressIn(request.body ?? {})
      const act = pressed ? press(keys, addressId, pressed, keptAddress(request)) : look
      return answer(reply, await requests.changePending(addressId, byLink(link, act)), addressId)
    },
  )
}

const look = (found: Found, now: Date) => ({ result: stepOf(found, now) })

/** The body, as the schema allows it. */
interface Pressed {
  readonly answer?: string
  readonly code?: string
  readonly said?: string
}

function pressIn({ answer, code }: Pressed): Press | undefined {
  if (answer === 'yes' || answer === 'no') return answer
  return code === undefined ? undefined : { code }
}
