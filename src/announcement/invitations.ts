import { addressIds } from '../keys/address-id.ts'
import { invitationCodes, invitationIds, testAudience } from '../keys/invitation-codes.ts'
import {
  hasInvitationKey,
  keptInvitationKey,
  replaceInvitationKey,
} from '../keys/invitation-key.ts'
import type { Letter } from '../mail/letter/letter.ts'
import type { Recipient } from '../mail/letter/message.ts'
import type { Message } from '../mail/mailer.ts'
import type { Finding, KeyProblem } from '../shared/finding.ts'
import { Refused } from '../shared/refused.ts'
import type { Invitations } from '../store/store.ts'
import { refused } from './refusal.ts'

/** Where the private key of invitations is. */
export interface SigningPlace {
  readonly dataDir: string
  /** Of the product that the invitations are for. */
  readonly appId: string
  /** The setting `INVITATION_KEY`; `null` for the key that is kept in `dataDir`. */
  readonly invitationKey: Buffer | null
}

export interface InvitationLetter {
  readonly letterFile: { readonly letter: Letter; readonly id: string }
  readonly linkKey: Buffer
  readonly signing: SigningPlace
  /** The page's address, which names the issuer. */
  readonly publicUrl?: string | undefined
}

const DAY_S = 86_400

/** The codes of a key that the product was told of; `undefined` where it has yet to be made. @throws Refused */
async function knownCodes(store: Invitations, place: SigningPlace) {
  const known = await store.keys()
  const { dataDir, invitationKey } = place
  if (!invitationKey && !hasInvitationKey(dataDir)) {
    if (known.length === 0) return undefined
    throw refused({ code: 'key-gone', dataDir })
  }
  const codes = invitationCodes(keyOf(place))
  if (known[0] && !known.some((one) => one.publicKey === codes.publicKey))
    throw refused({ code: 'key-other', known: known[0].publicKey, publicKey: codes.publicKey })
  return codes
}

/** The codes of the key, whose first one is made here. @throws Refused, StoreUnavailable */
export async function signing(store: Invitations, place: SigningPlace) {
  const codes = (await knownCodes(store, place)) ?? invitationCodes(keyOf(place))
  await store.keep(codes.publicKey, new Date())
  return codes
}

/** Signs with another key from now on; codes of the former one stay valid. @throws Refused */
export async function signingAnew(store: Invitations, place: SigningPlace) {
  if (!place.invitationKey) replaceInvitationKey(place.dataDir)
  const codes = invitationCodes(keyOf(place))
  if ((await store.keys()).some((one) => one.publicKey === codes.publicKey))
    throw refused({ code: 'key-in-use' })
  await store.keep(codes.publicKey, new Date())
  return codes
}

function keyOf({ dataDir, invitationKey }: SigningPlace): Buffer {
  try {
    return invitationKey ?? keptInvitationKey(dataDir)
  } catch (cause) {
    throw refused({ code: 'key-unusable', answer: (cause as Error).message }, { cause })
  }
}

/** Whether invitations can be signed, and until when they are valid. Writes nothing. @throws StoreUnavailable */
export async function checkSigning(
  store: Invitations,
  { letterFile, signing: place, publicUrl }: InvitationLetter,
): Promise<Finding[]> {
  const { invitationDays: days } = letterFile.letter
  if (days === undefined) return []
  try {
    const isKeyThere = (await knownCodes(store, place)) !== undefined
    if (!publicUrl) throw refused({ code: 'no-issuer' })
    const until = Date.now() + days * DAY_S * 1000
    return [{ code: 'invitation', verdict: 'note', days, until, isKeyThere }]
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return [{ code: 'invitation-key', verdict: 'fatal', wrong: error.why as KeyProblem }]
  }
}

/**
 * The letter for each recipient, with their invitation if it has one. Until when its key is needed is
 * on disk before a letter leaves. @param isTest for a code that no product takes
 * @throws Refused, StoreUnavailable
 */
export async function withInvitations(
  store: Invitations,
  { letterFile, linkKey, signing: place, publicUrl: iss = '' }: InvitationLetter,
  message: (recipient: Recipient) => Message,
  isTest = false,
): Promise<(recipient: Recipient) => Message | Promise<{ readonly message: Message }>> {
  const { letter, id: announcement } = letterFile
  const { invitationDays: days } = letter
  if (days === undefined) return message
  const codes = await signing(store, place)
  const [ids, idOf] = [addressIds(linkKey), invitationIds(linkKey)]
  const aud = isTest ? testAudience(place.appId) : place.appId
  let keptUntil = isTest ? Number.POSITIVE_INFINITY : 0
  let kept: Promise<void> | undefined

  return async (recipient) => {
    const { addressId } = recipient
    const iat = Math.floor(Date.now() / 1000)
    const exp = iat + days * DAY_S
    if (keptUntil < exp) {
      keptUntil = exp + DAY_S
      kept = store.keep(codes.publicKey, new Date(keptUntil * 1000)).catch((cause) => {
        keptUntil = 0
        throw cause
      })
    }
    await kept
    const [sub, jti] = [ids.person(addressId), idOf(isTest ? 'test' : announcement, addressId)]
    const invitation = await codes.sign({ iss, aud, sub, jti, iat, exp })
    return { message: message({ ...recipient, invitation }) }
  }
}
