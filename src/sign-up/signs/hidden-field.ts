import type { Look } from './attempt.ts'

/**
 * How long a page was open that speaks for a person. By the keystroke-level model (Card, Moran and
 * Newell, 1980) somebody who lets a program fill the form thinks (1.35 s), points (1.1 s) and presses
 * twice (0.2 s each). A robot fills and sends at once when the splash is over, some 1.5 s after the session began.
 */
const OPEN_MS = 3000

/**
 * The field that people do not see was filled. A password manager may do that. So where the page was
 * open for a while before, it is a hint; without script nobody knows for how long it was.
 */
export const hiddenField: Look = ({ isHiddenFieldFilled, session, at }) => {
  if (!isHiddenFieldFilled) return undefined
  const { beganAt = 0 } = session ?? { beganAt: at }
  return at - beganAt >= OPEN_MS ? 'hint' : 'enough'
}
