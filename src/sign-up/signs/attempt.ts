/** The data of one sign-up in which signs are looked for. Only the address is stored. */
export interface Attempt {
  /** As `parseEmail` returns it. */
  readonly email: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** The neighbourhood of the client address; none for a private one, such as a proxy's. */
  readonly network: string | undefined
  /** Whether the client address, or its /48 of IPv6, is beyond `RATE_LIMIT_DAY` today. */
  readonly isBeyondDay: boolean
  /** Those of the request, in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Whether the field that people do not see was filled. */
  readonly isHiddenFieldFilled: boolean
  /** None if the form came without script. */
  readonly session: Session | undefined
}

export interface Session {
  readonly uid: string
  /** As `openSince` gives it. */
  readonly beganAt: number
  /** Whether the page says that the session came only after the visitor had submitted. */
  readonly isLate: boolean
}

/** The weight of a sign: `enough` quarantines alone, a `hint` needs one of another kind. */
type Weight = 'enough' | 'hint'

/** Looks for one sign in a sign-up. Some remember earlier sign-ups, in bounded memory. */
export type Judge = (attempt: Attempt) => Weight | undefined
