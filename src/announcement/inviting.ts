import { type InvitationCodes, invitationIds } from '../keys/invitation-codes.ts'
import type { Recipient } from '../mail/letter/message.ts'
import type { Message } from '../mail/mailer.ts'
import type { Invitations } from '../store/invitations.ts'
import type { Prepared } from './sending/send.ts'

const DAY_MS = 86_400_000

export interface InvitingOptions {
  readonly store: Pick<Invitations, 'issue'>
  readonly codes: InvitationCodes
  /** The secret `LINK_KEY`. */
  readonly linkKey: Buffer
  readonly announcement: string
  /** How long an invitation is valid, from the day of its letter. */
  readonly days: number
  readonly message: (recipient: Recipient) => Message
}

/**
 * Makes letters that let their readers in. An invitation is on disk before its letter is made, so
 * that a letter that is tried again has the same code, also after a kill. If half of its time is
 * over by then, the same invitation gets a later end.
 *
 * @throws AnotherKey, StoreUnavailable
 */
export function inviting(options: InvitingOptions): (recipient: Recipient) => Promise<Prepared> {
  const { store, codes, linkKey, announcement, days, message } = options
  const idOf = invitationIds(linkKey)

  return async ({ addressId, email, language, firstName }) => {
    const issuedAt = new Date()
    const wanted = {
      id: idOf(announcement, addressId),
      announcement,
      addressId,
      email,
      issuedAt,
      expiresAt: endOf(days, issuedAt),
    }
    const invitation = await store.issue(...[wanted, endOf(days / 2, issuedAt), codes.publicKey])
    // Forgotten since: their row has no address any more.
    if (!invitation) return { leftOut: 'forgotten' }
    // Only this letter has the code, so an earlier try of it did reach them.
    if (invitation.ended?.as === 'redeemed') return { toldBy: 'their invitation was redeemed' }
    // A revoked code is useless.
    if (invitation.ended) return { leftOut: 'revoked' }
    const code = codes.sign(invitation, email)
    return { message: message({ addressId, email, language, firstName, invitation: code }) }
  }
}

/** The end of an invitation that leaves now, in whole seconds, since a code holds no fractions. */
export function endOf(days: number, now: Date): Date {
  return new Date(Math.floor((now.getTime() + days * DAY_MS) / 1000) * 1000)
}
