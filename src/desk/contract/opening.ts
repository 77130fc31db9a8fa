/** Which page visitors see, as the command `open` says it. Times are in milliseconds since 1970. */
export interface OpeningState {
  /** When it was so. */
  readonly at: number
  readonly words: string
  /** Left out where nothing is set. */
  readonly isOpen?: boolean
  /** When it opens by itself. */
  readonly opensAt?: number
  /** What the countdown says, where that is another time. */
  readonly beside?: string
}

/** What stands in the fields. */
export interface OpeningFields {
  readonly url: string
  readonly when: 'now' | 'at'
  /** A local time of the desk, `2027-01-12T09:00`. */
  readonly at: string
}

export interface OpeningMistake {
  readonly field: 'url' | 'at'
  readonly text: string
  /**
   * Whether the time has to be typed as text, since a time field cannot say which of two is meant.
   */
  readonly isSpelt: boolean
}

/** `/desk/opening` */
export interface OpeningPage {
  readonly page: 'opening'
  readonly state: OpeningState
  readonly fields: OpeningFields
  readonly mistake?: OpeningMistake
}

/** Asks before the opening is changed. */
export interface OpeningSurePage {
  readonly page: 'opening-sure'
  /**
   * `now` and `at` open it, `lead` changes the address of an open page's button, `undo` takes the
   * opening back, `close` that of an open page.
   */
  readonly what: 'now' | 'at' | 'lead' | 'undo' | 'close'
  /** Identifies what is set: a form that was made for another mark does nothing. */
  readonly mark: string
  /** The address that would be set; for `undo` and `close`, the one that is set. */
  readonly url: string
  /** The typed fields, to be sent again; none for `undo` and `close`. */
  readonly fields?: OpeningFields
  /** The host that the button leads to, which has to be typed; empty if nothing has to. */
  readonly word: string
  /** What will happen, in sentences. */
  readonly sentences: readonly string[]
  /** Why it was not done when it was pressed. */
  readonly error?: string
}
