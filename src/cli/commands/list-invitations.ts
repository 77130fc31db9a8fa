import {
  type Invitation,
  type InvitationState,
  type Invitations,
  invitationStates,
  stateOf,
} from '../../store/invitations.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { counted, grouped, localTime } from '../../terminal/words.ts'

export interface ListInvitationsOptions {
  /** Only those of that announcement. */
  readonly announcement?: string | undefined
  readonly state?: InvitationState
  readonly json?: boolean
}

/** `invitations`: lists the invitations with their states. */
export async function listInvitations(
  invitations: Pick<Invitations, 'stream'>,
  { announcement, state, json }: ListInvitationsOptions,
  out: Out,
): Promise<number> {
  const now = new Date()
  const counts: Record<InvitationState, number> = { open: 0, expired: 0, redeemed: 0, revoked: 0 }
  for await (const one of invitations.stream()) {
    const found = stateOf(one, now)
    if (announcement !== undefined && one.announcement !== announcement) continue
    if (state !== undefined && state !== found) continue
    counts[found] += 1
    await out.write(json ? `${JSON.stringify(forPrograms(one, found))}\n` : line(one, found))
  }
  const all = invitationStates.reduce((sum, one) => sum + counts[one], 0)
  const each = invitationStates
    .filter((one) => counts[one] > 0)
    .map((one) => `${grouped(counts[one])} ${one}`)
  out.say(all === 0 ? 'No invitations.' : `${counted(all, 'invitation')}: ${each.join(', ')}.`)
  return exitCodes.done
}

function line({ email, announcement, expiresAt, ended }: Invitation, state: InvitationState) {
  const when = ended
    ? `${state} ${localTime(ended.at)}`
    : `${state}${state === 'open' ? ', until' : ''} ${localTime(expiresAt)}`
  return `${when.padEnd(30)}  ${announcement}  ${email}\n`
}

function forPrograms({ addressId: _, ended, ...invitation }: Invitation, state: InvitationState) {
  return { ...invitation, state, ...(ended && { endedAt: ended.at }) }
}
