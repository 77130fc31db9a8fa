import { listOf, objectIn, reader } from '../shared/stored-json.ts'

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

/** A link that was printed. It is kept for a while after its use or end, to say so. */
export interface DeskLink {
  /** The hash of its path. */
  readonly id: string
  /** The hash of its fragment. */
  readonly secretHash: string
  readonly madeAt: number
  /** The time from which it opens nothing. */
  readonly until: number
  readonly isUsed?: boolean
}

export interface DeskSession {
  /** The hash of its token. */
  readonly id: string
  readonly begunAt: number
  readonly usedAt: number
  /** The time at which it ends. */
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

/** A challenge that an authenticator signs once. */
export interface DeskChallenge {
  readonly challenge: string
  readonly until: number
  /** To add a passkey in that session, or to sign in from that device. */
  readonly for: { readonly session: string } | { readonly device: string }
  /** Whether an answer to it is being checked: no other answer counts. */
  readonly isTaken?: boolean
}

export const nobodyAtTheDesk: DeskAccessState = {
  links: [],
  sessions: [],
  passkeys: [],
  challenges: [],
}

/** How long a used or expired link is remembered. */
export const LINK_REMEMBERED_MS = 60 * 60_000

export const sessionIn = ({ sessions }: DeskAccessState, id: string, now: number) =>
  sessions.find((one) => one.id === id && one.until > now)

export const linkIn = ({ links }: DeskAccessState, id: string, now: number) =>
  links.find((one) => one.id === id && one.madeAt + LINK_REMEMBERED_MS > now)

export const passkeyOfDevice = ({ passkeys }: DeskAccessState, deviceId: string) =>
  passkeys.find((one) => one.deviceId === deviceId)

/** Ends these sessions, links, passkeys and challenges; a passkey's sessions end with it. */
export function withEnds(state: DeskAccessState, ends: ReadonlySet<string>): DeskAccessState {
  return {
    // Their pages say that they are too old.
    links: state.links.map((one) => (ends.has(one.id) ? { ...one, until: one.madeAt } : one)),
    sessions: state.sessions.filter(({ id, passkey }) => !ends.has(id) && !ends.has(passkey ?? '')),
    passkeys: state.passkeys.filter(({ id }) => !ends.has(id)),
    challenges: state.challenges.filter(({ challenge }) => !ends.has(challenge)),
  }
}

/** The ids of all that "End all" ends, which keeps passkeys. */
export const idsOfAll = ({ sessions, links, challenges }: DeskAccessState) => [
  ...[...sessions, ...links].map(({ id }) => id),
  ...challenges.map(({ challenge }) => challenge),
]

/** Drops what is over, so that the state does not grow. */
export function swept(state: DeskAccessState, now: number): DeskAccessState {
  return {
    ...state,
    links: state.links.filter(({ id }) => linkIn(state, id, now)),
    sessions: state.sessions.filter(({ until }) => until > now),
    challenges: state.challenges.filter(({ until }) => until > now),
  }
}

const listed = <T>() => listOf((stored) => objectIn(stored) as T | undefined)
const listsIn = reader<Partial<DeskAccessState>>(
  {},
  { links: listed(), sessions: listed(), passkeys: listed(), challenges: listed() },
)

/** The stored state; of what is no list of objects, nobody is let in. */
export const deskAccessFrom = (stored: unknown): DeskAccessState => ({
  ...nobodyAtTheDesk,
  ...listsIn(stored),
})
