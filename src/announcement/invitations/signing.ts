import {
  formerInvitationCodes,
  type InvitationCodes,
  invitationCodes,
} from '../../keys/invitation-codes.ts'
import {
  hasInvitationKey,
  keptInvitationKey,
  makeInvitationKey,
} from '../../keys/invitation-key.ts'
import type { Invitations } from '../../store/invitations.ts'
import type { StoreKind } from '../../store/open-store.ts'
import { Refused } from '../refusal.ts'

/** Where the private key of invitations is. */
export interface SigningPlace {
  readonly kind: StoreKind
  readonly dataDir: string
  /** Of the product that the invitations are for. */
  readonly appId: string
  /** The setting `INVITATION_KEY`; `null` for the key that is kept in `dataDir`. */
  readonly invitationKey: Buffer | null
}

type KeyStore = Pick<Invitations, 'key' | 'setKey'>

/**
 * The public key of what invitations would be signed with now; `undefined` where that has yet to be
 * made. Writes nothing. @throws Refused with what is in the way; StoreUnavailable
 */
export async function signingKey(
  store: Pick<KeyStore, 'key'>,
  place: SigningPlace,
): Promise<string | undefined> {
  const known = await store.key()
  if (place.kind === 'sqlite' && !place.invitationKey && !hasInvitationKey(place.dataDir)) {
    if (known === undefined) return undefined
    throw new Refused({ code: 'key-gone', dataDir: place.dataDir })
  }
  const { publicKey } = codesOf(place, known)
  if (known !== undefined && known !== publicKey)
    throw new Refused({ code: 'key-other', known, publicKey })
  return publicKey
}

/**
 * What invitations are signed with, the same as ever: with another key, the product would let nobody
 * in. The first one is made, and noted by its public key.
 *
 * @throws Refused with what is in the way; StoreUnavailable
 */
export async function signing(store: KeyStore, place: SigningPlace): Promise<InvitationCodes> {
  await signingKey(store, place)
  const codes = codesOf(place, await store.key())
  if ((await store.key()) === undefined) await store.setKey(codes.publicKey)
  return codes
}

/**
 * Signs with another key from now on: every invitation that left before is worth nothing to whoever
 * verifies with the new public key. @throws Refused where the old one is still there
 */
export async function signingAnew(store: KeyStore, place: SigningPlace): Promise<InvitationCodes> {
  const known = await store.key()
  if (place.kind === 'sqlite' && !place.invitationKey && !makeInvitationKey(place.dataDir))
    if (known === codesAnew(place).publicKey)
      throw new Refused({ code: 'key-there', dataDir: place.dataDir })
  const codes = codesAnew(place)
  if (known === codes.publicKey) throw new Refused({ code: 'key-in-use' })
  await store.setKey(codes.publicKey)
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
  if (kind === 'firestore') throw new Refused({ code: 'key-not-set' })
  try {
    return keptInvitationKey(dataDir)
  } catch (cause) {
    throw new Refused({ code: 'key-unusable', answer: (cause as Error).message }, { cause })
  }
}
