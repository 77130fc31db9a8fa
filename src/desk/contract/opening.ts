/** What is set of the opening. Times are in milliseconds since 1970. */
export interface SetOpening {
  /** Where the open page's button leads. */
  readonly url: string
  /** When it opens; of an open page, since when it is. */
  readonly at: number
  /** The time zone in which the operator thinks of that. */
  readonly zone: string
  readonly isOpen: boolean
}

export interface OpeningState {
  /** When it was so. */
  readonly at: number
  /** Left out where nothing is set: the page says Coming Soon. */
  readonly set?: SetOpening
  /** What the countdown on the page says, where it has one. */
  readonly countdown?: { readonly at: number; readonly zone: string; readonly isAsSet: boolean }
  /** Tells what is set from anything else: a form that was made for another mark does nothing. */
  readonly mark: string
}

/** What stands in the fields. */
export interface OpeningFields {
  readonly url: string
  readonly when: 'now' | 'at'
  /** As a clock on the wall shows it, `2027-01-12T09:00`. */
  readonly at: string
  /** Empty: the zone of whoever looks. */
  readonly zone: string
}

export interface OpeningMistake {
  readonly field: 'url' | 'at' | 'zone'
  readonly text: string
  /** Whether the time has to be spelt, as no clock's field can say which of two is meant. */
  readonly isSpelt: boolean
}

/** `/desk/opening` */
export interface OpeningPage {
  readonly page: 'opening'
  readonly state: OpeningState
  readonly fields: OpeningFields
  readonly zones: readonly string[]
  readonly mistake?: OpeningMistake
}

/** Asks once more before something is done to the opening. */
export interface OpeningSurePage {
  readonly page: 'opening-sure'
  /** `now` and `at` open it, `lead` sends the button of an open page elsewhere, `undo` takes it back. */
  readonly what: 'now' | 'at' | 'lead' | 'undo'
  readonly mark: string
  /** What would be set; of `undo`, what is. */
  readonly url: string
  readonly at: number
  readonly zone: string
  /** What was typed, to be sent again; of `undo` none. */
  readonly fields?: OpeningFields
  /** Has to be typed: the host to which the button leads; empty for nothing. */
  readonly word: string
  /** What will be so, a sentence each. */
  readonly sentences: readonly string[]
  /** Why it was not done when it was pressed. */
  readonly error?: string
}
