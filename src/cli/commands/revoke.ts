import { addressIds } from '../../keys/address-id.ts'
import type { Invitations } from '../../store/invitations.ts'
import { readEmail } from '../../terminal/email-argument.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { counted } from '../../terminal/words.ts'

export interface RevokeOptions {
  readonly email: string
  readonly linkKey: Buffer
  readonly json?: boolean | undefined
}

/** `invitations --revoke`: takes back every invitation of an address that was not redeemed. */
export async function revoke(
  invitations: Pick<Invitations, 'to' | 'end'>,
  { email, linkKey, json }: RevokeOptions,
  out: Out,
): Promise<number> {
  const counts = { revoked: 0, before: 0, redeemed: 0 }
  for (const { id } of await invitations.to(addressIds(linkKey).of(readEmail(email)))) {
    const end = await invitations.end(id, 'revoked')
    if (end === 'ended') counts.revoked += 1
    else if (end === 'revoked') counts.before += 1
    else if (end === 'redeemed') counts.redeemed += 1
  }
  const { revoked, before, redeemed } = counts
  const isOut = revoked + before > 0 && redeemed === 0
  if (json) await out.write(`${JSON.stringify({ revoked, revokedBefore: before, redeemed })}\n`)
  else {
    const none = revoked + before + redeemed === 0
    await out.write(
      none ? 'This address has no invitation.\n' : `${counted(revoked, 'invitation')} revoked.\n`,
    )
    if (before > 0) out.say(`${counted(before, 'invitation')} had been revoked before.`)
    if (redeemed > 0)
      out.say(
        `${counted(redeemed, 'invitation')} had been redeemed: take that access away in your product.`,
      )
    if (revoked > 0)
      out.say(
        'A product that verifies codes by itself does not hear of that. docs/invitations.md says how it can.',
      )
  }
  return isOut ? exitCodes.done : exitCodes.partly
}
