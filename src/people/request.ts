import type { Brake } from '../shared/held-letters.ts'
import type { Said } from './pending.ts'
import type { Line } from './place-in-line.ts'

/** What is noted where an address is left. */
export interface Asked extends Omit<Said, 'isContested'> {
  /** Whether others go first, as they do before visitors with signs of a robot. */
  readonly isCrowd: boolean
  /** The keyed hash of the client network it came from; none where a browser wrote it into Firestore. */
  readonly network?: string | undefined
}

export interface Request extends Said {
  readonly askedAt: Date
  /** Those that it was asked from: its letter leaves as soon as one of them lets it. */
  readonly networks?: readonly string[] | undefined
  readonly line: Line
  /** When it is looked at. */
  readonly dueAt: Date
  /** How often its letter was given to be sent. */
  readonly tries: number
  /** Why it is held until then. */
  readonly waitsFor?: Brake | undefined
}

/** The last ones count. More are no households, and each costs a decision. */
export const MOST_ASKING = 5
const DAY_MS = 86_400_000

/**
 * Two requests for the same address, in either order. The one without signs of a robot counts, or the
 * earlier; of two that are a day apart the later, which is valid for longer.
 */
export function together(one: Request, other: Request): Request {
  const [first, second] = isBefore(other, one) ? [other, one] : [one, other]
  // Its letter is on its way, or its mail server asked to wait: nobody hastens that, or puts it off.
  const tried = [one, other].find(({ tries, waitsFor }) => tries > 0 && !waitsFor)
  const networks = [...new Set([...(one.networks ?? []), ...(other.networks ?? [])])]
  const { waitsFor: _, ...counts } = first
  return {
    ...counts,
    ...creditOf(first, second),
    ...(networks.length > 0 && { networks: networks.slice(-MOST_ASKING) }),
    line: tried?.line ?? (Math.min(one.line, other.line) as Line),
    dueAt: tried?.dueAt ?? (one.dueAt < other.dueAt ? one.dueAt : other.dueAt),
    tries: Math.max(one.tries, other.tries),
    ...(one.waitsFor && other.waitsFor && { waitsFor: one.waitsFor }),
  }
}

function isBefore(one: Request, other: Request): boolean {
  if (!one.suspicion !== !other.suspicion) return !one.suspicion
  const laterBy = Number(other.askedAt) - Number(one.askedAt)
  return Math.abs(laterBy) < DAY_MS ? laterBy > 0 : laterBy < 0
}

/** What decides whose friend it is. */
type Credit = Pick<Request, 'askedAt' | 'suspicion' | 'referredBy' | 'isContested'>

/**
 * A later link counts where there was none. Where two differ, nobody knows whose friend they are, since
 * anybody may have typed the address first; nor where a robot came later by a link. One that came
 * before is nothing.
 */
export function creditOf(
  first: Credit,
  second: Credit,
): Pick<Credit, 'referredBy' | 'isContested'> {
  const { referredBy, isContested } = first
  const isRobots = !first.suspicion && second.suspicion !== undefined
  const isNothing = !second.referredBy || (isRobots && second.askedAt <= first.askedAt)
  if (isNothing) return { referredBy, isContested }
  const isOther = second.referredBy !== referredBy && (referredBy !== undefined || isRobots)
  return {
    referredBy: referredBy ?? second.referredBy,
    isContested: isContested || isOther || second.isContested ? true : undefined,
  }
}
