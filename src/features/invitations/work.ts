import { addressIds } from '../../keys/address-id.ts'
import { commandLine } from '../../product/command-line.ts'
import { counted } from '../../shared/counted.ts'
import type { Finding } from '../../shared/finding.ts'
import type { LetterCodes } from '../../shared/letter-codes.ts'
import { say } from '../../shared/say.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import type { FeatureParts } from '../feature.ts'
import { invitationIds, testAudience } from './codes.ts'
import { knownCodes, type SigningParts, signing } from './signing.ts'

type Parts = SigningParts & Pick<FeatureParts, 'linkKey' | 'product'>

const DAY_S = 86_400

/** The codes of letters are invitations. */
export const codes = (parts: Parts): LetterCodes => ({
  look: (days) => look(parts, days),
  begin: (days, announcement) => begin(parts, days, announcement),
})

async function look(parts: SigningParts, days: number): Promise<Finding> {
  const found = { code: 'codes', about: 'Invitation' } as const
  try {
    const isKeyThere = (await knownCodes(parts)) !== undefined
    if (!parts.get('PUBLIC_URL'))
      throw new OperatorError(say('PUBLIC_URL is not set: it names who issued an invitation.'))
    const until = new Date(Date.now() + days * DAY_S * 1000).toISOString().slice(0, 16)
    const made = say('; its key is made when the first one is sent, or now by {command}', {
      command: commandLine('invitations --jwks'),
    })
    const text = say('valid for {days}, from now until {until} UTC', {
      days: counted(days, 'day'),
      until: until.replace('T', ' '),
    })
    return { ...found, verdict: 'note', text: isKeyThere ? text : text + made }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return { ...found, verdict: 'fatal', text: error.message }
  }
}

/** Until when the key is needed is on disk before a letter leaves. */
async function begin(parts: Parts, days: number, announcement?: string) {
  const { store, linkKey, product, get } = parts
  const { publicKey, sign } = await signing(parts)
  const [ids, idOf] = [addressIds(linkKey), invitationIds(linkKey)]
  const isTest = announcement === undefined
  const iss = get('PUBLIC_URL') ?? ''
  const aud = isTest ? testAudience(product.appId) : product.appId
  let keptUntil = isTest ? Number.POSITIVE_INFINITY : 0
  let kept: Promise<void> | undefined

  return async (addressId: string) => {
    const iat = Math.floor(Date.now() / 1000)
    const exp = iat + days * DAY_S
    if (keptUntil < exp) {
      keptUntil = exp + DAY_S
      kept = store.codeKeys.keep(publicKey, new Date(keptUntil * 1000)).catch((cause) => {
        keptUntil = 0
        throw cause
      })
    }
    await kept
    const [sub, jti] = [ids.person(addressId), idOf(announcement ?? 'test', addressId)]
    return sign({ iss, aud, sub, jti, iat, exp })
  }
}
