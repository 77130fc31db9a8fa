import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Asks } from '../../features/feature.ts'
import { type ConfirmationLink, confirmationKeys } from '../../keys/confirmation-keys.ts'
import { byLink, type LinkStep, type Press, press, stepOf } from '../../people/press-button.ts'
import type { Known } from '../../people/requests.ts'
import { confirmPath } from '../../shared/api.ts'
import { type ConfirmPageStep, confirmPageSteps, confirmReplySteps, site } from '../../site/site.ts'
import type { Requests } from '../../store/store.ts'
import type { BodySchema } from '../http/body-schema.ts'
import type { BuiltLanguage } from '../http/built-languages.ts'
import { readForms } from '../http/form-fields.ts'
import { type LinkRoute, linkPages } from '../http/link-pages.ts'

/** The client address of a request, if receipts keep it. */
export type KeptAddress = (request: IncomingMessage) => string | undefined

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
  /** What the page asks those who have confirmed. */
  readonly asks?: Pick<Asks, 'keepReply'> | undefined
}

const body: BodySchema = {
  type: 'object',
  properties: { answer: { type: 'string' }, code: { type: 'string' }, said: { type: 'string' } },
}

const url = `${confirmPath}/*`
const statuses = { ended: 410, wrong: 422, 'wrong-reply': 422 }

/**
 * The target of the link in a confirmation letter: GET shows, POST acts. Only the token grants
 * access, so there is no check of origin, session or rate, and the token must not leak.
 */
export async function confirmRoutes(
  app: FastifyInstance,
  { linkKey, root, language, keptAddress, asks, slotOf, ...given }: ConfirmOptions,
) {
  const requests = given.answers
  if (!requests) return
  const keys = confirmationKeys(linkKey)
  const { path } = language
  const files = [...confirmPageSteps, ...(asks ? confirmReplySteps : [])].map(
    (step) => [step, site.linkPage('confirm', step, path)] as const,
  )
  const send = linkPages<ConfirmPageStep>(app, root, files, statuses, language.headers.confirm)

  const answer = (reply: FastifyReply, { step, isForNews }: LinkStep, addressId: string) => {
    if (step !== 'ask' && step !== 'done') return send(reply, step)
    const own = step === 'done' ? slotOf(addressId) : ''
    return send(reply, isForNews ? `news-${step}` : step, own)
  }

  const seen = async (link: ConfirmationLink) =>
    (await requests.lookAt(link.addressId, byLink(link, look))).result

  /** Only somebody who has confirmed is asked, and may reply again. */
  async function takeReply(
    answer: FastifyReply,
    { keepReply }: Pick<Asks, 'keepReply'>,
    link: ConfirmationLink,
    said: string,
  ) {
    const { addressId } = link
    if ((await seen(link)).step !== 'done') return send(answer, 'ended')
    const next = (await keepReply(addressId, said, path)) ? 'replied' : 'wrong-reply'
    return send(answer, next, slotOf(addressId))
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
      if (asks && said !== undefined) return takeReply(reply, asks, link, said)
      const pressed = pressIn(request.body ?? {})
      const act = pressed ? press(keys, addressId, pressed, keptAddress(request.raw)) : look
      return answer(reply, await requests.changePending(addressId, byLink(link, act)), addressId)
    },
  )
}

const look = (found: Known, now: Date) => ({ result: stepOf(found, now) })

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
