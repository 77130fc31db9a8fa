import { listOf, objectIn, reader } from '../shared/stored-json.ts'

export interface DeskAccessChange<T> {
  readonly result: T
  readonly state?: DeskAccessState
}

export interface DeskAccessState {
  readonly links: readonly DeskLink[]
  readonly sessions: readonly DeskSession[]
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
  /** Such as `Chrome on Android`. */
  readonly device: string
}

export const nobodyAtTheDesk: DeskAccessState = { links: [], sessions: [] }

/** How long a used or expired link is remembered. */
export const LINK_REMEMBERED_MS = 60 * 60_000

export const sessionIn = ({ sessions }: DeskAccessState, id: string, now: number) =>
  sessions.find((one) => one.id === id && one.until > now)

export const linkIn = ({ links }: DeskAccessState, id: string, now: number) =>
  links.find((one) => one.id === id && one.madeAt + LINK_REMEMBERED_MS > now)

/** Ends these sessions and links. */
export function withEnds(state: DeskAccessState, ends: ReadonlySet<string>): DeskAccessState {
  return {
    // Their pages say that they are too old.
    links: state.links.map((one) => (ends.has(one.id) ? { ...one, until: one.madeAt } : one)),
    sessions: state.sessions.filter(({ id }) => !ends.has(id)),
  }
}

/** The ids of all that "End all" ends. */
export const idsOfAll = ({ sessions, links }: DeskAccessState) =>
  [...sessions, ...links].map(({ id }) => id)

/** Drops what is over, so that the state does not grow. */
export function swept(state: DeskAccessState, now: number): DeskAccessState {
  return {
    links: state.links.filter(({ id }) => linkIn(state, id, now)),
    sessions: state.sessions.filter(({ until }) => until > now),
  }
}

const listed = <T>() => listOf((stored) => objectIn(stored) as T | undefined)
const listsIn = reader<Partial<DeskAccessState>>({}, { links: listed(), sessions: listed() })

/** The stored state; of what is no list of objects, nobody is let in. */
export const deskAccessFrom = (stored: unknown): DeskAccessState => ({
  ...nobodyAtTheDesk,
  ...listsIn(stored),
})
