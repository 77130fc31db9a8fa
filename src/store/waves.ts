import type { WavesStop } from '../shared/end-words.ts'

/** The waves of an announcement and how far they are, stored with it. */
export interface KeptWaves {
  /** As `wavesInWords` gives them: `1%,10%,100%`, or `500`. */
  readonly waves: string
  /** From the beginning of one wave to that of the next, in milliseconds. */
  readonly everyMs: number
  /** The wave under way, or the last one, from 1. */
  readonly number: number
  /** How many letters have been tried when it ends: who left before their turn had none. */
  readonly target: number
  /** How many recipients there were when it began. */
  readonly size: number
  readonly begunAt: Date
  /** The counts when it began. */
  readonly before: WaveCounts
  /** When all of its recipients were accounted for; `undefined` while it is under way. */
  readonly endedAt?: Date | undefined
  /** When the next one may begin. */
  readonly nextAt?: Date | undefined
  /** Whether everybody is told with it. */
  readonly isLast: boolean
  /**
   * The original `begunAt` and `endedAt`, in milliseconds since 1970, where they were replaced as
   * times of a clock that was ahead.
   */
  readonly replaced?: { readonly begunAt: number; readonly endedAt: number } | undefined
  /** Whether the page was seen open before this wave, or before an earlier one. */
  readonly sawOpen?: boolean | undefined
  /** Why they stopped; until the command goes on with them. Older programs did not store this. */
  readonly stopped?: WavesStop
}

/** The counts by which a wave is judged, over the whole announcement. */
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
   * How many were erased since they were tried, so that their result is unknown. Older programs did
   * not store this.
   */
  readonly erased?: number | undefined
}

/**
 * The departures of recipients of an announcement. People who come back, or are erased, still
 * count: otherwise they would hide later departures.
 */
export interface Departed {
  readonly unsubscribed: number
  readonly complained: number
  readonly bounced: number
  /** Of all who were tried, also of those who failed. */
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
