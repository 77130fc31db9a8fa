import { type InvitationCodes, TEST } from '../../keys/invitation-codes.ts'
import { parseEmail } from '../../shared/email.ts'
import type { InvitationEnd, Invitations } from '../../store/invitations.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { localTime } from '../../terminal/words.ts'

/**
 * Clocks differ, so an invitation still counts this long after its end, as docs/invitations.md
 * says.
 */
const GRACE_MS = 5 * 60_000

export interface RedeemOptions {
  readonly email: string
  /** As it was typed or came in a link. */
  readonly code: string
  readonly codes: Pick<InvitationCodes, 'read'>
  /** Keeps that its reader became a user. */
  readonly noteCame: (email: string) => Promise<unknown>
  readonly json?: boolean | undefined
}

export type Refusal = 'test' | 'not-theirs' | 'expired' | 'unknown' | InvitationEnd

/**
 * `invitations --redeem`: uses up an invitation; only one call can. The answer names nobody, since
 * the caller may log it.
 */
export async function redeem(
  invitations: Pick<Invitations, 'end'>,
  { email, code, codes, noteCame, json }: RedeemOptions,
  out: Out,
): Promise<number> {
  const given = code.trim()
  // A text that is no address has no code. It is not quoted, since it may still say whose it is.
  const address = parseEmail(email)
  const signed = address === undefined ? undefined : codes.read(given, address)
  const why = await refusalOf(invitations, given, signed)
  // The invitation is used up, so its reader is let in whether or not this can be written.
  if (why === undefined && address !== undefined) await noteCame(address).catch(() => {})
  if (json) {
    const id = signed && { id: signed.id }
    await out.write(
      `${JSON.stringify({ redeemed: why === undefined, ...(why && { why }), ...id })}\n`,
    )
  } else if (why === undefined) await out.write('Redeemed.\n')
  else out.say(words(why, signed?.expiresAt))
  return why === undefined ? exitCodes.done : exitCodes.partly
}

async function refusalOf(
  invitations: Pick<Invitations, 'end'>,
  code: string,
  signed: ReturnType<InvitationCodes['read']>,
): Promise<Refusal | undefined> {
  if (code.startsWith(TEST)) return 'test'
  if (!signed) return 'not-theirs'
  if (Date.now() >= signed.expiresAt.getTime() + GRACE_MS) return 'expired'
  const end = await invitations.end(signed.id, 'redeemed')
  return end === 'ended' ? undefined : end
}

function words(why: Refusal, expiresAt = new Date()): string {
  return {
    test: 'Refused: this is the code of a test, which lets nobody in.',
    'not-theirs': 'Refused: this code is no invitation for this address.',
    expired: `Refused: this invitation ended ${localTime(expiresAt)}.`,
    unknown:
      'Refused: this invitation is not known here any more. Its reader was forgotten, or the list is from an older copy.',
    redeemed: 'Refused: this invitation was redeemed already.',
    revoked: 'Refused: this invitation was revoked.',
  }[why]
}
