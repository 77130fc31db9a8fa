import { createHash } from 'node:crypto'
import { type Line, lineIn } from '../queue/line.ts'
import { fieldsOf, isCount, isTime, objectIn } from '../shared/stored-json.ts'

export type NoticeData = Readonly<Record<string, unknown>>

export interface NewNotice {
  /** Identifies it, for ever. */
  readonly key: string
  /** Such as `subscribers.reached`. */
  readonly type: NoticeType
  readonly at: Date
  /** For JSON; without addresses. */
  readonly data: NoticeData
}

export type NoticeType =
  | 'subscribers.reached'
  | 'day.ended'
  | 'alarm.began'
  | 'alarm.goes_on'
  | 'alarm.ended'
  | 'test'

export interface Notice extends Omit<NewNotice, 'key'> {
  /** The same for ever, at every place. */
  readonly id: string
  /** Its place in the order of all. */
  readonly number: number
}

/** How far a place was told. Once it answered that it is gone, it is held. Times are in milliseconds since 1970. */
export interface PlaceState extends Line {
  readonly since: number
  /** The number of the last notice that arrived, or was given up. */
  readonly toldTo: number
  /** The number of the last notice in the message under way, which stays the same with every try. */
  readonly upTo?: number | undefined
  /** When the last message arrived, or was given up. */
  readonly lastAt?: number | undefined
  /** How many messages did not arrive by the last try. */
  readonly givenUp?: number | undefined
}

/** A place as it is stored, which anybody may have written. @returns nothing of one that cannot be read. */
export function placeIn(stored: unknown): PlaceState | undefined {
  const row = objectIn(stored) ?? {}
  const { since, toldTo } = row
  if (!isTime(since) || !isCount(toldTo)) return undefined
  return {
    ...lineIn(row),
    ...{ since, toldTo },
    ...fieldsOf(row, ['lastAt'], isTime),
    ...fieldsOf(row, ['upTo', 'givenUp'], isCount),
  }
}

/** The faults that are told: the store is away, the last back-up is old, and so on. */
export type AlarmKind =
  | 'store'
  | 'backup'
  | 'quarantine'
  | 'letters'
  | 'announcement'
  | 'events'
  | 'retention'
  | 'refusals'
  | 'counts'
  | 'waiting'

/** Times are in milliseconds since 1970. */
export interface AlarmState {
  readonly isOn: boolean
  /** When it began. */
  readonly since: number
  readonly isReminded: boolean
  /** Since when everything has been well, if the alarm has yet to end. */
  readonly calmSince?: number | undefined
  /** The data of its notices. */
  readonly data: NoticeData
}

/** How many notices fit into one message. */
export const MOST_WAITING = 100

/** Notices older than this are erased, in days; the milestones stay. */
export const NOTICE_DAYS = 90

/** The milestones that a list of this size has reached: 1, 10, 100 and so on. */
export function milestonesIn(subscribers: number): number[] {
  const reached: number[] = []
  for (let number = 1; number <= subscribers; number *= 10) reached.push(number)
  return reached
}

export function milestone(number: number, subscribers: number, at: Date): NewNotice {
  const data = { number, subscribers }
  return { key: `${REACHED}${number}`, type: 'subscribers.reached', at, data }
}

/** How the keys of milestones begin. */
export const REACHED = 'reached:'

/** The id of an event's notice: always the same, also after a restore. */
export function noticeId(appId: string, key: string): string {
  const digest = createHash('sha256').update(`${appId} ${key}`).digest('base64url')
  return `evt_${digest.slice(0, 22)}`
}
