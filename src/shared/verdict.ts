/**
 * `fine`: as it should be. `note`: information. `unknown`: could not be checked. `problem`: stops a run
 * unless the operator overrides it. `fatal`: cannot be overridden.
 */
export type Verdict = 'fine' | 'note' | 'unknown' | 'problem' | 'fatal'
