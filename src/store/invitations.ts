/** An invitation to the product, sent by a letter: one for each announcement and address. */
export interface Invitation {
  /** As `invitationIds` makes it. */
  readonly id: string
  readonly announcement: string
  readonly addressId: string
  readonly email: string
  readonly issuedAt: Date
  readonly expiresAt: Date
  /** How and when it ended; left out before that. */
  readonly ended?: { readonly as: InvitationEnd; readonly at: Date } | undefined
}

export const invitationEnds = ['redeemed', 'revoked'] as const

export type InvitationEnd = (typeof invitationEnds)[number]

/** The key was replaced: a code of this one would let nobody in. */
export class AnotherKey extends Error {
  constructor() {
    super('Invitations are signed with another key by now.')
  }
}

/** Stores the invitations and their ends. */
export interface Invitations {
  /**
   * Stores an invitation before its letter leaves. A known one stays as it is, however often its
   * letter is tried; only its expiry is replaced by the new one if it is before `until`.
   *
   * @param publicKey the key that will verify its code.
   * @returns the stored invitation; `undefined` for an address that was forgotten meanwhile.
   * @throws AnotherKey, and stores nothing, if the list has another key by now. @throws
   *   StoreUnavailable
   */
  issue(invitation: Invitation, until: Date, publicKey: string): Promise<Invitation | undefined>

  /** All of them, in no order, in memory that does not grow with their number. @throws StoreUnavailable */
  stream(): AsyncIterable<Invitation>

  /** Those of an address. @param addressId of it. @throws StoreUnavailable */
  to(addressId: string): Promise<Invitation[]>

  /**
   * Ends an invitation. Of all calls for one, exactly one resolves with `ended`, once that is on
   * disk; the others get how it ended, or `unknown` where there is none.
   *
   * @throws StoreUnavailable
   */
  end(id: string, as: InvitationEnd): Promise<'ended' | InvitationEnd | 'unknown'>

  /**
   * The public key that verifies invitations; `undefined` before the first one. @throws
   * StoreUnavailable
   */
  key(): Promise<string | undefined>

  /** Replaces the public key. @throws StoreUnavailable */
  setKey(publicKey: string): Promise<void>
}

/** The state of an invitation now. */
export type InvitationState = 'open' | 'expired' | InvitationEnd

export const invitationStates = ['open', 'expired', ...invitationEnds] as const

export function stateOf({ ended, expiresAt }: Invitation, now: Date): InvitationState {
  return ended?.as ?? (expiresAt > now ? 'open' : 'expired')
}
