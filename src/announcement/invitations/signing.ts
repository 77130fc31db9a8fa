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
import { refused } from '../refusal.ts'

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
 * The public key by which invitations would be signed now; `undefined` where the key has yet to be
 * made. Writes nothing. @throws Refused with the reason; StoreUnavailable
 */
export async function signingKey(
  store: Pick<KeyStore, 'key'>,
  place: SigningPlace,
): Promise<string | undefined> {
  const known = await store.key()
  if (place.kind === 'sqlite' && !place.invitationKey && !hasInvitationKey(place.dataDir)) {
    if (known === undefined) return undefined
    throw refused({ code: 'key-gone', dataDir: place.dataDir })
  }
  const { publicKey } = codesOf(place, known)
  if (known !== undefined && known !== publicKey)
    throw refused({ code: 'key-other', known, publicKey })
  return publicKey
}

/**
 * Signs invitations, always with the same key: the product would refuse codes of another one. The
 * first key is made here, and its public key is kept in the store.
 *
 * @throws Refused with the reason; StoreUnavailable
 */
export async function signing(store: KeyStore, place: SigningPlace): Promise<InvitationCodes> {
  await signingKey(store, place)
  const codes = codesOf(place, await store.key())
  if ((await store.key()) === undefined) await store.setKey(codes.publicKey)
  return codes
}

/**
 * Signs with another key from now on: a product with the new public key refuses every invitation
 * that left before. @throws Refused where the old key is still there
 */
export async function signingAnew(store: KeyStore, place: SigningPlace): Promise<InvitationCodes> {
  const known = await store.key()
  if (place.kind === 'sqlite' && !place.invitationKey && !makeInvitationKey(place.dataDir))
    if (known === codesAnew(place).publicKey)
      throw refused({ code: 'key-there', dataDir: place.dataDir })
  const codes = codesAnew(place)
  if (known === codes.publicKey) throw refused({ code: 'key-in-use' })
  await store.setKey(codes.publicKey)
  return codes
}

const codesAnew = (place: SigningPlace) => invitationCodes(keyOf(place), place.appId)

/** An older list keeps the former kind of codes, since its product has that public key. */
function codesOf(place: SigningPlace, known: string | undefined): InvitationCodes {
  const former = formerInvitationCodes(keyOf(place))
  return known === former.publicKey ? former : codesAnew(place)
}

function keyOf({ kind, dataDir, invitationKey }: SigningPlace): Buffer {
  if (invitationKey) return invitationKey
  if (kind === 'firestore') throw refused({ code: 'key-not-set' })
  try {
    return keptInvitationKey(dataDir)
  } catch (cause) {
    throw refused({ code: 'key-unusable', answer: (cause as Error).message }, { cause })
  }
}
