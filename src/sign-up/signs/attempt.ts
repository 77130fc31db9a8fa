/** What is looked at of one sign-up. Nothing of it but the address is kept. */
export interface Attempt {
  /** As `parseEmail` returns it. */
  readonly email: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** The neighbourhood of the client address; none where that is private, such as a proxy of ours. */
  readonly network: string | undefined
  /** Whether more came from the client address today, or its /48 of IPv6, than `RATE_LIMIT_DAY`. */
  readonly isBeyondDay: boolean
  /** Those of the request, in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Whether the field that people do not see was filled. */
  readonly isHiddenFieldFilled: boolean
  /** None where the form came without script. */
  readonly session: Session | undefined
}

export interface Session {
  readonly uid: string
  /** Milliseconds since 1970; unknown for a session from before sessions had a time. */
  readonly beganAt: number | undefined
  /** Whether the page says that the session came only after the visitor had submitted. */
  readonly isLate: boolean
}

/** What a sign is worth: `enough` quarantines alone, a `hint` needs one of another kind. */
export type Weight = 'enough' | 'hint'

/** Looks at a sign-up for one sign. Some remember what came before, in bounded memory. */
export type Look = (attempt: Attempt) => Weight | undefined
