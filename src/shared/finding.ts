/** One thing that was looked at, and whether it is as it should be. */
export interface Finding {
  readonly what: string
  /** `unknown` is held against nobody; a `problem` the operator may override, `fatal` nobody. */
  readonly verdict: 'fine' | 'unknown' | 'problem' | 'fatal'
  readonly detail: string
}
