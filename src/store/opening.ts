import { parseOpenUrl } from '../shared/open-url.ts'
import { objectIn } from '../shared/stored-json.ts'
import { storedTime } from '../shared/stored-time.ts'
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

/** An opening as it is stored, which anybody may have written; nothing where it was undone. */
export function openingIn(stored: unknown): Opening | undefined {
  const { url, at, zone, openedAt, undoneAt } = objectIn(stored) ?? {}
  if (undoneAt !== undefined) return undefined
  const [time, opened] = [storedTime(at), storedTime(openedAt)]
  if (typeof url !== 'string' || parseOpenUrl(url) !== url || !time) return undefined
  if (typeof zone !== 'string' || !isTimeZone(zone)) return undefined
  if (openedAt !== undefined && !opened) return undefined
  return { url, at: time, zone, openedAt: opened }
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
