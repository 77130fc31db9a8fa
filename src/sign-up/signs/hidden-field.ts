import type { Look } from './attempt.ts'

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
export const hiddenField: Look = ({ isHiddenFieldFilled, session, at }) => {
  if (!isHiddenFieldFilled) return undefined
  const { beganAt = 0 } = session ?? { beganAt: at }
  return at - beganAt >= OPEN_MS ? 'hint' : 'enough'
}
