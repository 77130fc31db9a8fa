/** Where the page leads once it is open, and when that is. */
export interface Opening {
  /** Where the button of the open page leads, as `parseOpenUrl` returns it. */
  readonly url: string
  /** When it opens, or opened. */
  readonly at: Date
  /** The time zone in which the operator thinks of that, such as `Europe/Berlin`. */
  readonly zone: string
  /** Since when it is open for good, whatever a clock says later; `undefined` until it was. */
  readonly openedAt: Date | undefined
}

/** Whether the page is open at a time. */
export function isOpen({ at, openedAt }: Opening, now: Date): boolean {
  return openedAt !== undefined || now >= at
}

/** Keeps whether the page is open, for all servers on one store. */
export interface Openings {
  /** How often `get` is worth its price, in milliseconds. */
  readonly lookEveryMs: number

  /** What is set; `undefined` where nothing is, or no longer. @throws StoreUnavailable */
  get(): Promise<Opening | undefined>

  /**
   * Has `changed` called soon after a change, where a store says so by itself; it may be called
   * without one, and a call may be lost. @returns ends that, which has to happen before the store is closed.
   */
  onChange(changed: () => void): () => void

  /** Sets it in place of what was set. @returns what that was. @throws StoreUnavailable */
  set(opening: Opening): Promise<Opening | undefined>

  /** Keeps that it was open at a time, if the same is still set. @throws StoreUnavailable */
  noteOpened(opening: Opening, openedAt: Date): Promise<void>

  /** The page says Coming Soon again. @returns what was set. @throws StoreUnavailable */
  undo(): Promise<Opening | undefined>
}
