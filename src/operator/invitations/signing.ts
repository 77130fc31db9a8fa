import {
  formerInvitationCodes,
  type InvitationCodes,
  invitationCodes,
} from '../../keys/invitation-codes.ts'
import {
  hasInvitationKey,
  INVITATION_KEY_RULE,
  keptInvitationKey,
  makeInvitationKey,
} from '../../keys/invitation-key.ts'
import type { Invitations } from '../../store/invitations.ts'
import type { StoreKind } from '../../store/open-store.ts'
import { commandLine } from '../terminal/command-line.ts'
import { OperatorError } from '../terminal/operator-error.ts'

/** Where the private key of invitations is. */
export interface SigningPlace {
  readonly kind: StoreKind
  readonly dataDir: string
  /** Of the product that the invitations are for. */
  readonly appId: string
  /** The setting `INVITATION_KEY`; `null` for the key that is kept in `dataDir`. */
  readonly invitationKey: Buffer | null
}

type KeyStore = Pick<Invitations, 'invitationKey' | 'setInvitationKey'>

/**
 * The public key of what invitations would be signed with now; `undefined` where that has yet to be
 * made. Writes nothing. @throws OperatorError with what is in the way; StoreUnavailable
 */
export async function signingKey(
  store: Pick<KeyStore, 'invitationKey'>,
  place: SigningPlace,
): Promise<string | undefined> {
  const known = await store.invitationKey()
  if (place.kind === 'sqlite' && !place.invitationKey && !hasInvitationKey(place.dataDir)) {
    if (known === undefined) return undefined
    throw new OperatorError(
      `invitation.key, with which invitations are signed, is not in ${place.dataDir}. Put it back from a back-up. ${ANEW}`,
    )
  }
  const { publicKey } = codesOf(place, known)
  if (known !== undefined && known !== publicKey)
    throw new OperatorError(
      `Invitations were signed with another key so far: the public one is ${known}, and that of this one ${publicKey}. Put the other one back. ${ANEW}`,
    )
  return publicKey
}

/**
 * What invitations are signed with, the same as ever: with another key, the product would let nobody
 * in. The first one is made, and noted by its public key.
 *
 * @throws OperatorError with what is in the way; StoreUnavailable
 */
export async function signing(store: KeyStore, place: SigningPlace): Promise<InvitationCodes> {
  await signingKey(store, place)
  const codes = codesOf(place, await store.invitationKey())
  if ((await store.invitationKey()) === undefined) await store.setInvitationKey(codes.publicKey)
  return codes
}

const ANEW = `If it is lost or known to others, ${commandLine('invitations --new-key')} begins with another one.`

/**
 * Signs with another key from now on: every invitation that left before is worth nothing to whoever
 * verifies with the new public key. @throws OperatorError where the old one is still there
 */
export async function signingAnew(store: KeyStore, place: SigningPlace): Promise<InvitationCodes> {
  const known = await store.invitationKey()
  if (place.kind === 'sqlite' && !place.invitationKey && !makeInvitationKey(place.dataDir))
    if (known === codesAnew(place).publicKey)
      throw new OperatorError(
        `invitation.key is in ${place.dataDir}, and is never replaced: move it away first, and then do this again.`,
      )
  const codes = codesAnew(place)
  if (known === codes.publicKey)
    throw new OperatorError('INVITATION_KEY is the key that is in use: set another one first.')
  await store.setInvitationKey(codes.publicKey)
  return codes
}

const codesAnew = (place: SigningPlace) => invitationCodes(keyOf(place), place.appId)

/** A list that began before goes on as it did: its product has that public key, and knows that form. */
function codesOf(place: SigningPlace, known: string | undefined): InvitationCodes {
  const former = formerInvitationCodes(keyOf(place))
  return known === former.publicKey ? former : codesAnew(place)
}

function keyOf({ kind, dataDir, invitationKey }: SigningPlace): Buffer {
  if (invitationKey) return invitationKey
  if (kind === 'firestore')
    throw new OperatorError(
      `INVITATION_KEY: is not set, must be ${INVITATION_KEY_RULE}, the same wherever letters are sent from`,
    )
  try {
    return keptInvitationKey(dataDir)
  } catch (cause) {
    throw new OperatorError((cause as Error).message, { cause })
  }
}
