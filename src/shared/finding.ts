/** One thing that was looked at, and whether it is as it should be. */
export interface Finding {
  readonly what: string
  /**
   * A `note` is to be known, `unknown` is held against nobody; a `problem` the operator may override,
   * `fatal` nobody.
   */
  readonly verdict: 'fine' | 'note' | 'unknown' | 'problem' | 'fatal'
  readonly detail: string
}
