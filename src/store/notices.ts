import { createHash } from 'node:crypto'
import type { Line } from '../queue/line.ts'

/**
 * The notices for the operator, and how far each place has been told. A notice is written in the
 * transaction of its event, once for its key and for ever; it is sent to each place in order.
 * Before a place is opened, nothing is written.
 */
export interface Notices {
  /**
   * Opens these places. A new place is told of events from now on. From then on the store notes
   * milestones with the sign-ups that reach them.
   *
   * @param places names, as the store keeps them. @returns when the first of them was opened.
   * @throws StoreUnavailable
   */
  open(places: readonly string[], now: Date): Promise<Date>

  /**
   * Notes milestones that the list has reached without a sign-up here, such as by an import.
   *
   * @throws StoreUnavailable
   */
  noteMilestones(now: Date): Promise<void>

  /** Notes an event, unless its key was noted before. @throws StoreUnavailable */
  noteEvent(event: NewNotice): Promise<void>

  /**
   * Changes the state of an alarm, and writes its notice in the same transaction.
   *
   * @param decide may be called more than once. @throws StoreUnavailable
   */
  changeAlarm(kind: AlarmKind, decide: DecideAlarm): Promise<void>

  /**
   * Changes how far a place was told.
   *
   * @param decide gets the waiting notices, in order, at most `MOST_WAITING`. It may be called more
   *   than once. @returns its result; `undefined` for a place that was never opened.
   * @throws StoreUnavailable
   */
  changePlace<T>(name: string, decide: DecidePlace<T>): Promise<T | undefined>

  /** The growth of the list in that time. @throws StoreUnavailable */
  growthBetween(from: Date, to: Date): Promise<GrowthBetween>

  /** The first addresses that signed up in that time and may be mailed. @throws StoreUnavailable */
  signedUp(from: Date, to: Date, most: number): Promise<string[]>

  /** How many were quarantined since then, without those of an import. @throws StoreUnavailable */
  quarantinedSince(since: Date): Promise<number>
}

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
  /** The message under way: always the same notices under the same id. */
  readonly message?: PlaceMessage | undefined
  /** When the last message arrived, or was given up. */
  readonly lastAt?: number | undefined
  /** The last messages that did not arrive by the last try. */
  readonly givenUp?: readonly GivenUp[] | undefined
}

export interface PlaceMessage {
  readonly id: string
  /** The number of the last notice in it. */
  readonly last: number
}

export interface GivenUp {
  readonly id: string
  readonly at: number
  readonly notices: number
  readonly failure: string
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

export type DecideAlarm = (alarm: AlarmState | undefined) => {
  readonly alarm?: AlarmState | undefined
  readonly event?: NewNotice | undefined
}

export type DecidePlace<T> = (
  place: PlaceState,
  waiting: readonly Notice[],
) => { readonly place?: PlaceState | undefined; readonly result: T }

export interface GrowthBetween {
  /** Without those who were quarantined. */
  readonly signUps: number
  /** All on the list, without the quarantined. */
  readonly subscribers: number
  /** How many stand quarantined. */
  readonly quarantined: number
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
