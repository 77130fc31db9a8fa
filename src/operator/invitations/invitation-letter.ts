import { endOf, inviting } from '../../announcement/inviting.ts'
import type { LetterFor } from '../../announcement/sending/prepared.ts'
import { invitationIds } from '../../keys/invitation-codes.ts'
import type { Letter } from '../../mail/letter/letter.ts'
import type { Recipient } from '../../mail/letter/message.ts'
import type { Message } from '../../mail/mailer.ts'
import type { Finding } from '../../shared/finding.ts'
import type { Store } from '../../store/store.ts'
import { commandLine } from '../terminal/command-line.ts'
import { OperatorError } from '../terminal/operator-error.ts'
import { counted, localTime } from '../terminal/words.ts'
import { type SigningPlace, signing, signingKey } from './signing.ts'

export interface InvitationLetter {
  readonly letterFile: { readonly letter: Letter; readonly id: string }
  readonly linkKey: Buffer
  readonly signing: SigningPlace
}

type Make = (recipient: Recipient) => Message

/**
 * Whether a letter's invitations can be signed, and until when they are valid. Writes nothing: what is
 * only tried must not decide which key it is. @throws StoreUnavailable
 */
export async function checkSigning(
  store: Store,
  { letterFile, signing: place }: InvitationLetter,
): Promise<Finding[]> {
  const { invitationDays: days } = letterFile.letter
  if (days === undefined) return []
  const what = 'Invitation'
  try {
    const publicKey = await signingKey(store, place)
    const until = localTime(endOf(days, new Date()))
    const key =
      publicKey === undefined
        ? `its key is made with the first one, or by ${commandLine('invitations --public-key')}, which prints the public one for your product`
        : `your product verifies it with the public key ${publicKey}`
    const detail = `valid for ${counted(days, 'day')}, from now until ${until}; ${key}`
    return [{ what, verdict: 'fine', detail }]
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return [{ what, verdict: 'fatal', detail: error.message }]
  }
}

/** The letter for each recipient, with their invitation where it has one. @throws OperatorError, StoreUnavailable */
export async function withInvitations(
  store: Store,
  { letterFile, linkKey, signing: place }: InvitationLetter,
  message: Make,
): Promise<LetterFor> {
  const { letter, id: announcement } = letterFile
  const { invitationDays: days } = letter
  if (days === undefined) return message
  return inviting({
    store,
    codes: await signing(store, place),
    linkKey,
    announcement,
    days,
    message,
  })
}

/** The same for a test: its code says that it is one, and opens nothing. */
export async function withTestInvitation(
  store: Store,
  { letterFile, linkKey, signing: place }: InvitationLetter,
  message: Make,
): Promise<Make> {
  const { invitationDays: days } = letterFile.letter
  if (days === undefined) return message
  const codes = await signing(store, place)
  const idOf = invitationIds(linkKey)
  return ({ addressId, email }) => {
    const expiresAt = endOf(days, new Date())
    const one = { id: idOf('test', addressId), expiresAt, announcement: letterFile.id }
    return message({ addressId, email, invitation: codes.signTest(one, email) })
  }
}
