import { createHash } from 'node:crypto'
import { type RetryPolicy, webhooks } from '../queue/retry-policy.ts'
import {
  afterTry,
  asId,
  held,
  isBegun,
  type Line,
  type LineKind,
  lengthened,
  lineIn,
  shortened,
  type TryEnd,
} from '../queue/waiting-line.ts'
import {
  asCount,
  asMoment,
  asText,
  listOf,
  objectIn,
  reader,
  storedTime,
} from '../shared/stored-json.ts'

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
}

/** What is sent at once. */
export interface NoticeMessage {
  /** The same with every try, for the same notices. */
  readonly id: string
  readonly notices: readonly Notice[]
}

/** A message of one notice has the notice's id. */
export function messageOf(notices: readonly Notice[]): NoticeMessage {
  const [first = '', ...more] = notices.map(({ id }) => id)
  return { id: more.length === 0 ? first : hashed('msg', [first, ...more].join(' ')), notices }
}

/**
 * What a place has yet to be told. Once it answered that it is gone, it is held. Times are in
 * milliseconds since 1970.
 */
export interface PlaceState extends Line<NoticeMessage> {
  readonly since: number
  /** When the last message arrived, or was given up. */
  readonly lastAt?: number | undefined
  /** How many messages did not arrive by the last try, had to make space, or cannot be read. */
  readonly givenUp?: number | undefined
}

/** A place as it is stored, which anybody may have written. @returns nothing of one that cannot be read. */
function placeIn(stored: unknown): PlaceState | undefined {
  const [read, place] = [lineIn(stored, messageIn, MOST_MESSAGES), placeFields(stored)]
  if (!place || !read) return undefined
  const { dropped = 0, ...line } = read
  const givenUp = (place.givenUp ?? 0) + dropped
  return { ...line, ...place, ...(givenUp > 0 && { givenUp }) }
}

const placeFields = reader<Pick<PlaceState, 'since' | 'lastAt' | 'givenUp'>>(
  { since: asMoment },
  { lastAt: asMoment, givenUp: asCount },
)

function messageIn(json: unknown): NoticeMessage | undefined {
  const { notices = [] } = noticesIn(json) ?? {}
  return notices.length > 0 ? messageOf(notices) : undefined
}

const noticesIn = reader<Pick<NoticeMessage, 'notices'>>({
  notices: listOf(
    reader<Notice>({
      id: asId,
      type: (stored) => asText(stored) as NoticeType | undefined,
      at: storedTime,
      data: (stored) => objectIn(stored) ?? {},
    }),
  ),
})

/** How many notices fit into one message, and how many messages wait for a place. */
export const MOST_NOTICES = 100
const MOST_MESSAGES = 3

/** A message that is older is erased, in days. */
const NOTICE_DAYS = 90

/** Adds a notice to what a place is told: to its last message, until that is begun. */
export function withNotice(place: PlaceState, notice: Notice): PlaceState {
  const oldest = notice.at.getTime() - NOTICE_DAYS * DAY_MS
  const kept = place.items.filter(({ notices }) => Number(notices.at(-1)?.at) >= oldest)
  const last = kept.length > 1 || !isBegun(place) ? kept.at(-1) : undefined
  const fits = last !== undefined && last.notices.length < MOST_NOTICES
  const items = fits ? kept.slice(0, -1) : kept
  const message = messageOf([...(fits ? last.notices : []), notice])
  const after = lengthened({ ...place, items }, [message], MOST_MESSAGES)
  const lost = items.length + 1 - after.items.length
  return lost === 0 ? after : { ...after, givenUp: (place.givenUp ?? 0) + lost }
}

const DAY_MS = 86_400_000

/**
 * The least time between two messages to one place: notices that come meanwhile form one digest.
 */
const GAP_MS = 120_000
const policy: RetryPolicy = { ...webhooks, tries: webhooks.waits.length + 1 }

/** What places have yet to be told, by their names. One that is gone is held. */
export const placeLines: LineKind<NoticeMessage, PlaceState, TryEnd | 'gone'> = {
  name: 'notices',
  read: placeIn,
  stays: true,
  after(place, sent, answer, now) {
    const { end, line } = afterTry(place, sent, answer, policy, now)
    if (end === 'not ours') return { end, line }
    if (answer.kind === 'failed' && answer.isGone) return { end: 'gone', line: held(line, now) }
    if (end !== 'taken' && end !== 'over') return { end, line }
    const { givenUp = 0 } = line
    const done = end === 'taken' ? line : { ...shortened(line, now), givenUp: givenUp + 1 }
    return { end, line: { ...done, lastAt: now, dueAt: now + GAP_MS } }
  },
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

/** The milestones that a list of this size has reached: 1, 10, 100 and so on. */
export function milestonesIn(subscribers: number): number[] {
  const reached: number[] = []
  for (let number = 1; number <= subscribers; number *= 10) reached.push(number)
  return reached
}

export function milestone(number: number, subscribers: number, at: Date): NewNotice {
  const data = { number, subscribers }
  return { key: `reached:${number}`, type: 'subscribers.reached', at, data }
}

/** The id of an event's notice: always the same, also after a restore. */
export const noticeId = (appId: string, key: string): string => hashed('evt', `${appId} ${key}`)

function hashed(kind: string, text: string): string {
  return `${kind}_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`
}
