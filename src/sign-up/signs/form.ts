import type { Judge } from './attempt.ts'
import { recent } from './recent.ts'

/**
 * Since when a visitor could use the form, in milliseconds since 1970: since their session began or, where
 * it came later, as on a slow line, for as long as the page says. A robot may say so as well: it gets what
 * it has for waiting so long.
 *
 * @param openFor in milliseconds; anything else says nothing.
 */
export function openSince(beganAt: number, at: number, openFor: unknown): number {
  return Math.min(beganAt, at - (Number(openFor) || 0))
}

/**
 * A page that was open for this long speaks for a person. By the keystroke-level model (Card, Moran
 * and Newell, 1980) a person whose program fills the form thinks (1.35 s), points (1.1 s) and
 * presses twice (0.2 s each). A robot sends at once when the splash is over, some 1.5 s after the
 * session began.
 */
const OPEN_MS = 3000

/**
 * The field that people do not see was filled. A password manager may do that, so it is only a hint
 * if the page was open for a while before. Without script, that time is unknown.
 */
export const hiddenField: Judge = ({ isHiddenFieldFilled, session, at }) => {
  if (!isHiddenFieldFilled) return undefined
  return at - (session?.beganAt ?? at) >= OPEN_MS ? 'hint' : 'enough'
}

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
export function tooQuick(): Judge {
  const latest = recent<{ email: string; at: number }>()
  return ({ email, session, at }) => {
    if (!session) return undefined
    const before = latest.get(session.uid)
    latest.set(session.uid, { email, at })
    const isAfterAnother = before !== undefined && before.email !== email && isQuick(at - before.at)
    const isAtOnce = !session.isLate && isQuick(at - session.beganAt)
    return isAfterAnother || isAtOnce ? 'enough' : undefined
  }
}

const isQuick = (ms: number) => ms >= 0 && ms < TOO_QUICK_MS
