import type { FastifyRequest } from 'fastify'
import type { Asks } from '../features/feature.ts'
import { fieldsIn } from '../people/known-fields.ts'
import type { RequestSaid } from '../shared/feature-rules.ts'
import { crowds } from '../sign-up/signs/crowd.ts'
import { openSince } from '../sign-up/signs/form.ts'
import { suspicions } from '../sign-up/signs/suspicions.ts'
import type { Requests, SubscriberList } from '../store/store.ts'
import { neighbourhoodOf, networkOf } from './http/client-address.ts'
import { clientAddress, type VisitorLimits } from './http/rate-limits.ts'
import { beganAt } from './http/session-cookie.ts'
import { readShown } from './http/shown.ts'
import type { Elsewhere, SignUp, SignUpRoute } from './http/sign-up.ts'
import type { sourceOf } from './http/source-of.ts'
import type { KeptAddress } from './routes/confirm.ts'
import type { Sessions } from './routes/session.ts'

export interface JudgeSignUpsOptions {
  readonly list: Pick<SubscriberList, 'add'>
  /** Set if visitors have to confirm. */
  readonly requests?: Pick<Requests, 'requestConfirmation'> | undefined
  /** Set if the page asks something of those who signed up. */
  readonly asks?: Pick<Asks, 'letReply'> | undefined
  readonly sessions: Pick<Sessions, 'uidOf'>
  /** The folder that the build's folder is in. */
  readonly root: string
  readonly keptAddress: KeptAddress
  /** Their source, if sources are kept. */
  readonly from: typeof sourceOf
  /** What features keep of how they came. */
  readonly saidBy: (request: FastifyRequest) => RequestSaid
  /** The keyed hash of a client network. */
  readonly networkId: (network: string) => string
  readonly isBeyondDay: VisitorLimits['isBeyondDay']
  /** Those of the page, where it has several. */
  readonly languages: readonly string[]
}

/**
 * Stores sign-ups with the signs of a robot that were seen. No sign changes the answer.
 *
 * @throws when confirmation is on and the page was built without CONFIRM=on.
 */
export function judgeSignUps(options: JudgeSignUpsOptions): SignUp {
  const { list, requests, asks, sessions, root, keptAddress, from } = options
  const { saidBy, networkId, isBeyondDay, languages } = options
  const suspicionOf = suspicions()
  const languageOf = (request: FastifyRequest<SignUpRoute>, elsewhere: Elsewhere | undefined) =>
    languages.find((one) => one === (elsewhere?.language ?? request.body.language))
  const notesOf = (...[email, request, reply, elsewhere]: Parameters<SignUp>) => {
    const { comment = '', isLate, openFor } = request.body
    // A session tells how long our own page was open.
    const uid = elsewhere ? undefined : sessions.uidOf(request)
    const at = Date.now()
    const suspicion = suspicionOf({
      email,
      at,
      headers: request.headers,
      network: neighbourhoodOf(clientAddress(request)),
      isBeyondDay: isBeyondDay(request, reply),
      // A text browser shows the field, and a space in it does not count.
      isHiddenFieldFilled: comment.trim() !== '',
      session: uid
        ? { uid, beganAt: openSince(beganAt(uid), at, openFor), isLate: isTrue(isLate) }
        : undefined,
    })
    const fields = fieldsIn({ ...request.body, language: languageOf(request, elsewhere) })
    return { suspicion, source: from(request, elsewhere?.origin), fields }
  }
  if (!requests)
    return async (email, ...visit) => {
      const notes = notesOf(email, ...visit)
      const { key, token } = asks?.letReply(email) ?? {}
      await list.add(email, { ...notes, key })
      return token
    }

  const shownIn = readShown(root)
  const isCrowd = crowds()
  return async (email, request, reply, elsewhere) => {
    const notes = notesOf(email, request, reply, elsewhere)
    const askedFrom = keptAddress(request)
    const { isOpen } = request.body
    const language = languageOf(request, elsewhere)
    const { page, openPage, formOn } = shownIn(language)
    // As the browser says, since it may show the old page a moment longer than we serve it.
    const own = isTrue(isOpen) ? openPage : page
    const shown = elsewhere ? formOn(elsewhere.origin) : own
    await requests.requestConfirmation(email, {
      shown: askedFrom ? { ...shown, askedFrom } : shown,
      isCrowd: isCrowd(neighbourhoodOf(clientAddress(request))),
      ...notes,
      network: networkId(networkOf(clientAddress(request), 48)),
      ...saidBy(request),
    })
    // Asked once they have confirmed.
    return undefined
  }
}

/** In JSON, or in a form. */
const isTrue = (value: boolean | string | undefined) => String(value) === 'true'
