import { parseOpenUrl } from '../shared/open-url.ts'
import { isText, objectIn, reader, storedTime } from '../shared/stored-json.ts'
import { isTimeZone } from '../shared/time-zone.ts'

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

const fieldsIn = reader<Omit<Opening, 'openedAt'>>({
  url: (stored) => (isText(stored) && parseOpenUrl(stored) === stored ? stored : undefined),
  at: storedTime,
  zone: (stored) => (isText(stored) && isTimeZone(stored) ? stored : undefined),
})

/** An opening as it is stored, which anybody may have written; nothing where it was undone. */
export function openingIn(stored: unknown): Opening | undefined {
  const { openedAt, undoneAt } = objectIn(stored) ?? {}
  const [opening, opened] = [fieldsIn(stored), storedTime(openedAt)]
  const isUnread = undoneAt !== undefined || (openedAt !== undefined && !opened)
  return isUnread || !opening ? undefined : { ...opening, openedAt: opened }
}

/**
 * What is stored of two lists: what was said here, unless the same opening was undone there. Where nothing
 * was said here, it is theirs.
 */
export function mergedOpening(here: unknown, there: unknown): unknown {
  const [ours, theirs] = [here, there].map((one) => objectIn(one) ?? {})
  const isSame = ours?.url === theirs?.url && ours?.at === theirs?.at
  return here === undefined || (isSame && theirs?.undoneAt !== undefined) ? there : here
}
