/** How an announcement goes out in waves, and how far that is: kept with it. */
export interface KeptWaves {
  /** As `wavesInWords` gives them: `1%,10%,100%`, or `500`. */
  readonly waves: string
  /** From the beginning of one wave to that of the next, in milliseconds. */
  readonly everyMs: number
  /** The wave that is under way or ended last, from 1. */
  readonly number: number
  /** How many of the recipients have been tried when it ends. */
  readonly target: number
  /** How many that were when it began. */
  readonly size: number
  readonly begunAt: Date
  /** What was counted when it began. */
  readonly before: WaveCounts
  /** When everybody of it was accounted for; `undefined` while it is under way. */
  readonly endedAt?: Date | undefined
  /** When the next one may begin. */
  readonly nextAt?: Date | undefined
  /** Whether everybody is told with it. */
  readonly isLast: boolean
  /**
   * What `begunAt` and `endedAt` were, in milliseconds since 1970, where they were taken for those of a
   * clock that was ahead.
   */
  readonly replaced?: { readonly begunAt: number; readonly endedAt: number } | undefined
  /** Whether the page was seen open before this wave, or before an earlier one. */
  readonly sawOpen?: boolean | undefined
}

/** What a wave is judged by, counted over the whole announcement. */
export interface WaveCounts {
  /** How many were sent it or refused, or are to be tried again. */
  readonly tried: number
  /** How many were sent it, or may have been. */
  readonly told: number
  /** How many were refused for good, or bounced since. */
  readonly failed: number
  /** How many unsubscribed or complained since they were told. */
  readonly left: number
  /**
   * How many were erased since they were tried: what had become of them is not known any more. Not kept
   * by programs of before.
   */
  readonly erased?: number | undefined
}

/**
 * What has become of those who were told an announcement. Whoever comes back, or is erased, is counted
 * still: else they would hide who leaves after them.
 */
export interface Departed {
  readonly unsubscribed: number
  readonly complained: number
  readonly bounced: number
  /** Of those who were tried, also of those who failed. */
  readonly erased: number
}

/** One line of text, for a store. */
export function wavesText(waves: KeptWaves): string {
  return JSON.stringify(waves)
}

/** @param text as `wavesText` made it. @returns `undefined` for anything else. */
export function wavesFrom(text: unknown): KeptWaves | undefined {
  if (typeof text !== 'string') return undefined
  const { begunAt, endedAt, nextAt, ...others } = JSON.parse(text)
  const time = (value: unknown) => (typeof value === 'string' ? new Date(value) : undefined)
  return {
    ...others,
    begunAt: new Date(begunAt),
    ...(endedAt && { endedAt: time(endedAt), nextAt: time(nextAt) }),
  }
}
