import type { Note, Report } from '../../shared/report.ts'
import type { OpeningState } from './opening.ts'

/**
 * What the desk's first page shows. It is the same for all viewers, and each event has it whole.
 */
export interface TodayState {
  /** When it was so, in milliseconds since 1970. */
  readonly at: number
  readonly opening: OpeningState
  /** What `status` says as well, and the latest sign-ups in the table of this name. */
  readonly report: Report
  readonly curves: Readonly<Record<Span, CurveOfSignUps>>
  readonly health: readonly Note[]
  /** Why this is not up to date, in words. */
  readonly trouble?: string
}

export const curveSpans = ['hour', 'day', 'week'] as const

export type Span = (typeof curveSpans)[number]

export interface CurveOfSignUps {
  /** When each hour, day or week begins, in milliseconds since 1970. */
  readonly starts: readonly number[]
  readonly signUps: readonly number[]
  /** Sign-ups before the first of these. */
  readonly before: number
}
