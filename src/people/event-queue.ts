import {
  type Answer,
  afterTry,
  begunAgain,
  held,
  type Line,
  lineIn,
  newId,
  released,
} from '../queue/line.ts'
import { isAhead, type RetryPolicy, webhooks } from '../queue/retry-policy.ts'
import { type EventType, eventTypes } from '../shared/event-types.ts'
import { isCount, isText, isTime, objectIn } from '../shared/stored-json.ts'

/*
 * The rules of what waits for one person, which the store runs in a transaction. Times are in
 * milliseconds since 1970.
 */

/** What waits of one person, in order. */
export interface EventQueue extends Line {
  /** Left out where only `forgotten` waits, or only an id was ever known. */
  readonly email?: string | undefined
  readonly events: readonly QueuedEvent[]
  /** How many were left out since they cannot be read, and are not counted yet. */
  readonly dropped?: number | undefined
}

interface QueuedEvent {
  /** The same with every try, for ever. */
  readonly id: string
  readonly type: EventType
  readonly at: number
}

/** A receiver that is away for longer gets what was held when the operator replays it. */
export const HELD_AFTER_MS = 7 * 24 * 3_600_000

const policy: RetryPolicy = { ...webhooks, forMs: HELD_AFTER_MS }

/**
 * More than one person brings about in a week. The next one drops the oldest that was not begun, so
 * that a receiver that is away for ever costs a bounded file; the newest says how the person stands.
 */
export const MOST_EVENTS = 10

/** Adds events at the end. */
export function queued(
  queue: EventQueue | undefined,
  types: readonly EventType[],
  email: string | undefined,
  now: number,
): EventQueue {
  // A link that is pressed twice is one no.
  const isSaid = (type: EventType) => type === 'left' && queue?.events.at(-1)?.type === 'left'
  const added = types
    .filter((type) => !isSaid(type))
    .map((type): QueuedEvent => ({ id: newId('evt'), type, at: now }))
  if (!queue) return { ...emailOf(email), events: added, tries: 0, dueAt: now }
  return { ...queue, ...emailOf(email ?? queue.email), events: few([...queue.events, ...added]) }
}

/** The first one may be on its way, or be an erasure. */
const few = ([first, ...others]: readonly QueuedEvent[]): QueuedEvent[] =>
  first ? [first, ...others.slice(1 - MOST_EVENTS)] : []

/**
 * What waits of a person who is erased: that alone. It waits until nothing else can be on its way
 * to the receiver, so that it is the last thing that is said of them.
 */
export function erased(queue: EventQueue | undefined, now: number): EventQueue {
  const [first] = queue?.events ?? []
  const known = first?.type === 'forgotten' ? first : undefined
  const event = known ?? { id: newId('evt'), type: 'forgotten' as const, at: now }
  const { lease, leasedUntil } = queue ?? {}
  const isLeased = lease !== undefined && isAhead(leasedUntil, now)
  return {
    events: [event],
    tries: 0,
    dueAt: isLeased ? leasedUntil : FIRST,
    ...(isLeased && { lease, leasedUntil }),
  }
}

/** Of all that are due, the earliest is sent first; an erasure that was not tried comes before all. */
const FIRST = 0
const dueOnce = ([first]: readonly QueuedEvent[], now: number) =>
  first?.type === 'forgotten' ? FIRST : now

/**
 * What an answer changes.
 *
 * @param id of the event that was sent. @returns `undefined` where nothing waits any more.
 */
export function settled(
  queue: EventQueue,
  { id, lease }: { readonly id: string; readonly lease: string },
  answer: Answer,
  now: number,
): EventQueue | undefined {
  const [first, ...others] = queue.events
  const atOnce = dueOnce(queue.events, now)
  // Erased meanwhile: with this answer nothing older is on its way.
  if (first?.id !== id) return queue.lease === lease ? released(queue, atOnce) : queue
  const { end, line } = afterTry(queue, lease, answer, policy, now)
  if (end === 'taken') return others.length === 0 ? undefined : { ...line, events: others }
  if (end === 'stopped') return released(line, atOnce)
  // An erasure must be heard, however long that takes.
  return end === 'over' && first.type !== 'forgotten' ? held(line, now) : line
}

/** Begins again, as if it had never failed. One that is on its way stays so. */
export function replayed(queue: EventQueue, now: number): EventQueue {
  const again = begunAgain(queue, now)
  return again.dueAt === now ? { ...again, dueAt: dueOnce(queue.events, now) } : again
}

/**
 * As it comes back with a copy: it may have been sent since, and is held until the operator replays it.
 * An erasure must be heard, also twice.
 *
 * @param here what waits of the same person where it comes to: nothing from before an erasure joins it.
 */
export function restored(queue: EventQueue, now: number, here?: EventQueue): EventQueue {
  const [known, first] = [new Set(here?.events.map(({ id }) => id)), here?.events[0]]
  const added = queue.events.filter(({ id }) => !known.has(id))
  if (here && (added.length === 0 || first?.type === 'forgotten')) return here
  const all = [...(here?.events ?? []), ...added].toSorted((one, other) => one.at - other.at)
  const events = here ? few(all) : all
  const line = released({ ...queue, ...here, events }, dueOnce(events, now))
  return events[0]?.type === 'forgotten' ? line : held(line, now)
}

const emailOf = (email: string | undefined) => (email === undefined ? {} : { email })

/**
 * Reads a queue of the list or of a copy, which anybody may have made. An event that cannot be read,
 * such as one of a type that only a later version knows, is left out alone: there may be none left.
 */
export function queueIn(json: unknown): EventQueue | undefined {
  const row = objectIn(json)
  if (!row || !Array.isArray(row.events)) return undefined
  const events = row.events.flatMap((one) => eventIn(one) ?? []).slice(-MOST_EVENTS)
  const dropped = (isCount(row.dropped) ? row.dropped : 0) + row.events.length - events.length
  return {
    ...lineIn(row),
    ...emailOf(isText(row.email) ? row.email : undefined),
    events,
    ...(dropped > 0 && { dropped }),
  }
}

function eventIn(json: unknown): QueuedEvent | undefined {
  const { id, type, at } = Object(json) as Record<string, unknown>
  const known = eventTypes.find((one) => one === type)
  if (typeof id !== 'string' || !/^evt_[\w-]{22}$/.test(id) || !known || !isTime(at))
    return undefined
  return { id, type: known, at }
}
