/**
 * Who may open the desk. It is little, and belongs together: a link that is used, the session that it
 * gives and the end of all sessions must not cross each other. So it is read and changed as one.
 * Times are in milliseconds since 1970. No secret is kept, only hashes.
 */
export interface DeskAccess {
  /** @throws StoreUnavailable */
  read(): Promise<DeskAccessState>

  /**
   * Changes it, alone with what it was given.
   *
   * @param decide may be asked more than once; without a `state`, nothing changes.
   * @throws StoreUnavailable
   */
  change<T>(decide: (found: DeskAccessState, now: number) => DeskAccessChange<T>): Promise<T>
}

export interface DeskAccessChange<T> {
  readonly result: T
  readonly state?: DeskAccessState
}

export interface DeskAccessState {
  readonly links: readonly DeskLink[]
  readonly sessions: readonly DeskSession[]
  readonly passkeys: readonly DeskPasskey[]
  readonly challenges: readonly DeskChallenge[]
}

/** A link that was printed. It is kept a while after it was used or ended, to say so. */
export interface DeskLink {
  /** The hash of what stands in its path. */
  readonly id: string
  /** The hash of what stands in its fragment. */
  readonly secretHash: string
  readonly madeAt: number
  /** From then on it opens nothing. */
  readonly until: number
  readonly isUsed?: boolean
}

export interface DeskSession {
  /** The hash of its token. */
  readonly id: string
  readonly begunAt: number
  readonly usedAt: number
  /** From then on it is none. */
  readonly until: number
  readonly by: 'link' | 'passkey'
  /** The id of that passkey. */
  readonly passkey?: string
  /** Such as `Chrome on Android`. */
  readonly device: string
}

export interface DeskPasskey {
  /** As the authenticator names it, in base64url. */
  readonly id: string
  /** COSE, in base64url. */
  readonly publicKey: string
  /** How often the authenticator says that it signed. */
  readonly counter: number
  readonly transports: readonly string[]
  readonly name: string
  readonly addedAt: number
  readonly usedAt?: number
  /** The hash of the token in the cookie of the device that added it. */
  readonly deviceId: string
}

/** What an authenticator is to sign, once. */
export interface DeskChallenge {
  readonly challenge: string
  readonly until: number
  /** To add a passkey in that session, or to sign in from that device. */
  readonly for: { readonly session: string } | { readonly device: string }
  /** Whether an answer to it is being looked at: no other one will be. */
  readonly isTaken?: boolean
}

export const nobodyAtTheDesk: DeskAccessState = {
  links: [],
  sessions: [],
  passkeys: [],
  challenges: [],
}

/** How long a link that is used or too old says so; afterwards nothing is known of it. */
export const LINK_REMEMBERED_MS = 60 * 60_000

export const sessionIn = ({ sessions }: DeskAccessState, id: string, now: number) =>
  sessions.find((one) => one.id === id && one.until > now)

export const linkIn = ({ links }: DeskAccessState, id: string, now: number) =>
  links.find((one) => one.id === id && one.madeAt + LINK_REMEMBERED_MS > now)

export const passkeyOfDevice = ({ passkeys }: DeskAccessState, deviceId: string) =>
  passkeys.find((one) => one.deviceId === deviceId)

/** What is left when these sessions, links, passkeys and challenges end; a passkey's sessions go with it. */
export function withEnds(state: DeskAccessState, ends: ReadonlySet<string>): DeskAccessState {
  return {
    // They go on saying that they are too old.
    links: state.links.map((one) => (ends.has(one.id) ? { ...one, until: one.madeAt } : one)),
    sessions: state.sessions.filter(({ id, passkey }) => !ends.has(id) && !ends.has(passkey ?? '')),
    passkeys: state.passkeys.filter(({ id }) => !ends.has(id)),
    challenges: state.challenges.filter(({ challenge }) => !ends.has(challenge)),
  }
}

/** All that "End all" ends: it keeps passkeys. */
export const idsOfAll = ({ sessions, links, challenges }: DeskAccessState) => [
  ...[...sessions, ...links].map(({ id }) => id),
  ...challenges.map(({ challenge }) => challenge),
]

/** Without what is over, so that it does not grow. */
export function swept(state: DeskAccessState, now: number): DeskAccessState {
  return {
    ...state,
    links: state.links.filter(({ id }) => linkIn(state, id, now)),
    sessions: state.sessions.filter(({ until }) => until > now),
    challenges: state.challenges.filter(({ until }) => until > now),
  }
}

/** Reads what a store has; empty for what is none of it. */
export function deskAccessFrom(json: string | undefined): DeskAccessState {
  if (json === undefined) return nobodyAtTheDesk
  return { ...nobodyAtTheDesk, ...(JSON.parse(json) as Partial<DeskAccessState>) }
}
