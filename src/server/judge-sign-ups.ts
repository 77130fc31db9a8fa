import type { Asks } from '../features/feature.ts'
import { fieldsIn } from '../people/known-fields.ts'
import { crowds } from '../sign-up/signs/crowd.ts'
import { openSince } from '../sign-up/signs/form.ts'
import { suspicions } from '../sign-up/signs/suspicions.ts'
import type { Requests, SubscriberList } from '../store/store.ts'
import { neighbourhoodOf, networkOf } from './http/client-address.ts'
import type { ClientAddress } from './http/proxies.ts'
import type { VisitorLimits } from './http/rate-limits.ts'
import { beganAt } from './http/session-cookie.ts'
import { readShown } from './http/shown.ts'
import type { SignUp, SignUpVisit } from './http/sign-up.ts'
import type { sourceOf } from './http/source-of.ts'
import type { KeptAddress } from './routes/confirm.ts'
import type { Sessions } from './routes/session.ts'
import type { saidBy } from './server-parts.ts'

export interface JudgeSignUpsOptions {
  readonly list: Pick<SubscriberList, 'add'>
  /** Set if visitors have to confirm. */
  readonly requests?: Pick<Requests, 'requestConfirmation'> | undefined
  /** Set if the page asks something of those who signed up. */
  readonly asks?: Pick<Asks, 'letReply'> | undefined
  readonly sessions: Pick<Sessions, 'uidOf'>
  /** The folder that the build's folder is in. */
  readonly root: string
  readonly clientAddress: ClientAddress
  readonly keptAddress: KeptAddress
  /** Their source, if sources are kept. */
  readonly from: typeof sourceOf
  /** What features keep of how they came. */
  readonly saidBy: ReturnType<typeof saidBy>
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
  const { clientAddress, networkId, isBeyondDay, languages } = options
  const suspicionOf = suspicions()
  const languageOf = ({ body, elsewhere }: SignUpVisit) =>
    languages.find((one) => one === (elsewhere?.language ?? body.language))
  const notesOf = (email: string, visit: SignUpVisit) => {
    const { request, response, body, elsewhere } = visit
    const { headers, url = '' } = request
    const { comment = '', isLate, openFor } = body
    // A session tells how long our own page was open.
    const uid = elsewhere ? undefined : (visit.uid ?? sessions.uidOf(request))
    const at = Date.now()
    const suspicion = suspicionOf({
      email,
      at,
      headers,
      network: neighbourhoodOf(clientAddress(request)),
      isBeyondDay: isBeyondDay(request, response),
      // A text browser shows the field, and a space in it does not count.
      isHiddenFieldFilled: comment.trim() !== '',
      session: uid
        ? { uid, beganAt: openSince(beganAt(uid), at, openFor), isLate: isTrue(isLate) }
        : undefined,
    })
    const fields = fieldsIn({ ...body, language: languageOf(visit) })
    return { suspicion, source: from({ url, headers, body }, elsewhere?.origin), fields }
  }
  if (!requests)
    return async (email, visit) => {
      const notes = notesOf(email, visit)
      const { key, token } = asks?.letReply(email) ?? {}
      await list.add(email, { ...notes, key })
      return token
    }

  const shownIn = readShown(root)
  const isCrowd = crowds()
  return async (email, visit) => {
    const { request, body, elsewhere } = visit
    const notes = notesOf(email, visit)
    const askedFrom = keptAddress(request)
    const { page, openPage, formOn } = shownIn(languageOf(visit))
    // As the browser says, since it may show the old page a moment longer than we serve it.
    const own = isTrue(body.isOpen) ? openPage : page
    const shown = elsewhere ? formOn(elsewhere.origin) : own
    await requests.requestConfirmation(email, {
      shown: askedFrom ? { ...shown, askedFrom } : shown,
      isCrowd: isCrowd(neighbourhoodOf(clientAddress(request))),
      ...notes,
      network: networkId(networkOf(clientAddress(request), 48)),
      ...options.saidBy(request),
    })
    // Asked once they have confirmed.
    return undefined
  }
}

/** In JSON, or in a form. */
const isTrue = (value: boolean | string | undefined) => String(value) === 'true'
