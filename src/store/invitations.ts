/** What somebody got by a letter, to be let in. One for each announcement and address. */
export interface Invitation {
  /** As `invitationIds` makes it. */
  readonly id: string
  readonly announcement: string
  readonly addressId: string
  readonly email: string
  readonly issuedAt: Date
  readonly expiresAt: Date
  /** How it came to its end, and when; left out while it has not. */
  readonly ended?: { readonly as: InvitationEnd; readonly at: Date } | undefined
}

export const invitationEnds = ['redeemed', 'revoked'] as const

export type InvitationEnd = (typeof invitationEnds)[number]

/** Invitations are signed with another key since: a code by this one would let nobody in. */
export class AnotherKey extends Error {
  constructor() {
    super('Invitations are signed with another key by now.')
  }
}

/** Keeps invitations: which there are, and which came to an end. */
export interface Invitations {
  /**
   * Notes an invitation, before its letter leaves. One that is known stays as it is, however often
   * its letter is tried; only its expiry is moved to the new one if it is over before `until`.
   *
   * @param publicKey what its code will be verified with.
   * @returns what is kept; `undefined` for an address that was forgotten meanwhile.
   * @throws AnotherKey, and notes nothing, where the list has another one by now. @throws StoreUnavailable
   */
  issue(invitation: Invitation, until: Date, publicKey: string): Promise<Invitation | undefined>

  /** All of them, in no order, in memory that does not grow with their number. @throws StoreUnavailable */
  stream(): AsyncIterable<Invitation>

  /** Those of an address. @param addressId of it. @throws StoreUnavailable */
  to(addressId: string): Promise<Invitation[]>

  /**
   * Ends an invitation. Of all calls for one, exactly one resolves with `ended`, and what it says is
   * on disk by then; the others get how it ended, and `unknown` where there is none.
   *
   * @throws StoreUnavailable
   */
  end(id: string, as: InvitationEnd): Promise<'ended' | InvitationEnd | 'unknown'>

  /** The public key with which invitations are verified; `undefined` before there were any. @throws StoreUnavailable */
  key(): Promise<string | undefined>

  /** Sets it in place of what was set. @throws StoreUnavailable */
  setKey(publicKey: string): Promise<void>
}

/** How an invitation stands now. */
export type InvitationState = 'open' | 'expired' | InvitationEnd

export const invitationStates = ['open', 'expired', ...invitationEnds] as const

export function stateOf({ ended, expiresAt }: Invitation, now: Date): InvitationState {
  return ended?.as ?? (expiresAt > now ? 'open' : 'expired')
}
