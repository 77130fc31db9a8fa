/** Writes copies of everything that is kept, for a store that has no such thing of its own. */
export interface Backups {
  /**
   * Writes a copy as of now while others read and write, and reads it back before it counts.
   *
   * @param file is replaced if it is there. @throws StoreUnavailable
   */
  write(file: string): Promise<Copy>

  /** When the last copy was written. @throws StoreUnavailable */
  last(): Promise<Date | null>
}

/** What a copy holds. */
export interface Copy {
  readonly subscribers: number
  readonly announcements: number
}

/** Brings copies back into whichever store is in use: a restore is also how a list moves to another. */
export interface Copies {
  /** Reads a copy through. @throws StoreUnavailable with what is wrong with it. */
  check(file: string): Promise<Copy>

  /**
   * Brings back what a copy has and the store has not. What the store knows is newer and stays:
   * who was forgotten since does not come back, who unsubscribed stays out, who was told was told.
   * Whoever was still to be told when the copy was made may have been told since: `uncertain`.
   * Can be interrupted anywhere and done again. @throws StoreUnavailable
   */
  restore(file: string): Promise<Restored>
}

export interface Restored {
  readonly added: number
  readonly known: number
  /** Who does not come back, since that was asked for. */
  readonly forgotten: number
  /** Rows that no store of ours has written, and that stay out. */
  readonly refused: number
  readonly announcements: number
  /** Where the button of the open page leads, if that came from the copy. */
  readonly opening?: string
}
