/** The result of one check. */
export interface Finding {
  readonly what: string
  /**
   * `fine`: as it should be. `note`: information. `unknown`: could not be checked. `problem`: stops
   * a run unless the operator overrides it. `fatal`: cannot be overridden.
   */
  readonly verdict: 'fine' | 'note' | 'unknown' | 'problem' | 'fatal'
  readonly detail: string
}
