import { invitationIds } from '../../keys/invitation-codes.ts'
import type { Letter } from '../../mail/letter/letter.ts'
import type { Recipient } from '../../mail/letter/message.ts'
import type { Message } from '../../mail/mailer.ts'
import type { Found, KeyProblem } from '../../shared/found.ts'
import { Refused } from '../../shared/refused.ts'
import type { Invitations } from '../../store/invitations.ts'
import { endOf, inviting } from '../inviting.ts'
import type { LetterFor } from '../sending/send.ts'
import { type SigningPlace, signing, signingKey } from './signing.ts'

export interface InvitationLetter {
  readonly letterFile: { readonly letter: Letter; readonly id: string }
  readonly linkKey: Buffer
  readonly signing: SigningPlace
}

type Make = (recipient: Recipient) => Message

/**
 * Whether a letter's invitations can be signed, and until when they are valid. Writes nothing: a
 * dry run must not decide on the key. @throws StoreUnavailable
 */
export async function checkSigning(
  invitations: Invitations,
  { letterFile, signing: place }: InvitationLetter,
): Promise<Found[]> {
  const { invitationDays: days } = letterFile.letter
  if (days === undefined) return []
  try {
    const publicKey = await signingKey(invitations, place)
    const until = endOf(days, new Date()).getTime()
    return [{ code: 'invitation', verdict: 'fine', days, until, publicKey }]
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return [{ code: 'invitation-key', verdict: 'fatal', wrong: error.why as KeyProblem }]
  }
}

/**
 * The letter for each recipient, with their invitation if it has one. @throws Refused,
 * StoreUnavailable
 */
export async function withInvitations(
  invitations: Invitations,
  { letterFile, linkKey, signing: place }: InvitationLetter,
  message: Make,
): Promise<LetterFor> {
  const { letter, id: announcement } = letterFile
  const { invitationDays: days } = letter
  if (days === undefined) return message
  return inviting({
    store: invitations,
    codes: await signing(invitations, place),
    linkKey,
    announcement,
    days,
    message,
  })
}

/** The same for a test: its code says that it is one, and opens nothing. */
export async function withTestInvitation(
  invitations: Invitations,
  { letterFile, linkKey, signing: place }: InvitationLetter,
  message: Make,
): Promise<Make> {
  const { invitationDays: days } = letterFile.letter
  if (days === undefined) return message
  const codes = await signing(invitations, place)
  const idOf = invitationIds(linkKey)
  return ({ addressId, email, language }) => {
    const expiresAt = endOf(days, new Date())
    const one = { id: idOf('test', addressId), expiresAt, announcement: letterFile.id }
    return message({ addressId, email, language, invitation: codes.signTest(one, email) })
  }
}
