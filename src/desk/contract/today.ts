import type { Note } from '../../shared/report.ts'
import type { SetOpening } from './opening.ts'

/**
 * What the desk's first page shows. It is the same for all viewers, and each event has it whole.
 */
export interface TodayState {
  /** When it was so, in milliseconds since 1970. */
  readonly at: number
  /** Left out where nothing is set: the page says Coming Soon. */
  readonly opening?: SetOpening
  /** When the countdown ends, where the page has one. */
  readonly countdown?: number
  readonly people: PeopleCounts
  readonly signUpsToday: number
  /** How many sign up by this time on a usual day; `null` on the first days. */
  readonly usual: number | null
  readonly visits: VisitsToday
  readonly conversion: { readonly today: number | null; readonly week: number | null }
  readonly curves: Readonly<Record<Span, CurveOfSignUps>>
  /** Of the last thirty days. */
  readonly sources: readonly SourceCounts[]
  /** The newest first. */
  readonly latest: readonly LatestSignUp[]
  readonly health: readonly Note[]
  /** Why this is not up to date, in words. */
  readonly trouble?: string
}

export interface PeopleCounts {
  /** Subscribers who get letters. */
  readonly subscribed: number
  /** Subscribers who confirmed; left out where confirmation is off, or not counted. */
  readonly confirmed?: number
  /** Visitors who were asked, and have yet to answer. */
  readonly toConfirm?: number
  /** Subscribers who said that it was not them. */
  readonly pending: number
  readonly quarantined: number
  readonly unsubscribed: number
  readonly bounced: number
  readonly complained: number
}

export interface VisitsToday {
  readonly first: number
  readonly again: number
  readonly robots: number
  /** Whether there was any visit in the last thirty days but those of robots. */
  readonly isAny: boolean
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

export interface SourceCounts {
  /** `rest`: too rare to be kept by name. `none`: of unknown source. */
  readonly kind: 'source' | 'host' | 'campaign' | 'medium' | 'rest' | 'none'
  /** As a link says it: anybody may have written it. */
  readonly name: string
  readonly visits: number
  /** `null` for a host: a sign-up does not tell it. */
  readonly signUps: number | null
}

export interface LatestSignUp {
  /** Identifies the person in the path of their page, and reveals nothing of the address. */
  readonly id: string
  readonly email: string
  readonly at: number
  readonly standing: string
  /** As the link said it. */
  readonly source?: string
  /** Set for those who came by an import, and never signed up at the page. */
  readonly isImported?: true
}
