/** Where the page leads once it is open, and when that is. */
export interface Opening {
  /** Where the button of the open page leads, as `parseOpenUrl` returns it. */
  readonly url: string
  /** When it opens, or opened. */
  readonly at: Date
  /** The time zone in which the operator gave that time, such as `Europe/Berlin`. */
  readonly zone: string
  /**
   * When it opened: from then on it stays open, even if a clock is set back; `undefined` before
   * that.
   */
  readonly openedAt: Date | undefined
}

/** Whether the page is open at a time. */
export function isOpen({ at, openedAt }: Opening, now: Date): boolean {
  return openedAt !== undefined || now >= at
}

/** Stores the opening. */
export interface Openings {
  /** What is set; `undefined` where nothing is, or no longer. @throws StoreUnavailable */
  get(): Promise<Opening | undefined>

  /** Sets it. @returns the opening that was set before. @throws StoreUnavailable */
  set(opening: Opening): Promise<Opening | undefined>

  /** Stores that it has opened, if the same one is still set. @throws StoreUnavailable */
  noteOpened(opening: Opening, openedAt: Date): Promise<void>

  /** The page says Coming Soon again. @returns what was set. @throws StoreUnavailable */
  undo(): Promise<Opening | undefined>
}
