/** The events that upkeep reports, with the data that a person needs. */
export interface Told {
  'waits-for-other-back-up': object
}

/** Reports an event, which a face puts into words by `code`. */
export type Report = <Code extends keyof Told>(code: Code, data: Told[Code]) => void
