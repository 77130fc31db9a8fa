/** A row among the subscribers that no store of ours has written, and that makes nobody. */
export interface UnreadableRow {
  /** How the store itself names it; anybody may have chosen it. */
  readonly id: string
  readonly why: 'its e-mail is none' | 'its time is none'
}

/** What stands on the list beside people. No command stops because of it, and none uses it. */
export interface UnreadableRows {
  /** @returns `undefined` where nobody else writes, and so nothing is counted. @throws StoreUnavailable */
  count(): Promise<number | undefined>
  /** Each of them, which reads the whole list. @throws StoreUnavailable */
  stream(): AsyncIterable<UnreadableRow>
}
