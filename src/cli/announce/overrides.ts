import { isAhead, problemName } from '../../report/makers/finding.ts'
import { type Finding, problemKey } from '../../shared/finding.ts'

export interface Overrides {
  /** Names of problems, as `problemName` gives them. */
  readonly force?: readonly string[]
  /** Keys of problems. */
  readonly forceProblem?: readonly string[]
  readonly beforeOpening?: boolean
}

/** Whether the command line overrides a problem: it names each one, so none is overridden unseen. */
export const overriddenBy =
  ({ force = [], forceProblem = [], beforeOpening = false }: Overrides) =>
  (found: Finding): boolean =>
    forceProblem.includes(problemKey(found)) ||
    (isAhead(found) ? beforeOpening : force.includes(problemName(found)))
