/** A row among the subscribers that cannot be read, and is no subscriber. */
export interface UnreadableRow {
  /** The row's id in the store, which anybody may have chosen. */
  readonly id: string
  readonly why: 'its e-mail is not an address' | 'its time is not a time'
}

/** Rows of the list that are no subscribers. Every command passes over them. */
export interface UnreadableRows {
  /** @returns `undefined` for a store that only our programs write to. @throws StoreUnavailable */
  count(): Promise<number | undefined>
  /** Gives each of them, and reads the whole list. @throws StoreUnavailable */
  stream(): AsyncIterable<UnreadableRow>
}
