import type { Look } from './attempt.ts'
import { recent } from './recent.ts'

/**
 * No person reads, types and presses in less. By the keystroke-level model (Card, Moran and Newell,
 * 1980) the shortest way, a suggested address and Enter, takes 1.35 s to think of and 0.08 s for
 * each of four keys of the best typist: 1.7 s.
 */
const TOO_QUICK_MS = 1000

/**
 * Sent sooner than a person can type: after the session began, or after another address was sent in
 * it. The page tells if the session came late, as on a slow line. A clock that was put back is no
 * sign.
 */
export function tooQuick(): Look {
  const latest = recent<{ email: string; at: number }>()
  return ({ email, session, at }) => {
    if (session?.beganAt === undefined) return undefined
    const before = latest.get(session.uid)
    latest.set(session.uid, { email, at })
    const isAfterAnother = before !== undefined && before.email !== email && isQuick(at - before.at)
    const isAtOnce = !session.isLate && isQuick(at - session.beganAt)
    return isAfterAnother || isAtOnce ? 'enough' : undefined
  }
}

const isQuick = (ms: number) => ms >= 0 && ms < TOO_QUICK_MS
