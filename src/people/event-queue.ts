import { isAhead, type RetryPolicy, webhooks } from '../queue/retry-policy.ts'
import {
  afterTry,
  asId,
  begunAgain,
  held,
  type Line,
  type LineKind,
  lengthened,
  lineIn,
  newId,
  released,
} from '../queue/waiting-line.ts'
import { type EventType, eventTypes } from '../shared/event-types.ts'
import { asMoment, isText, objectIn, oneOf, reader } from '../shared/stored-json.ts'

/*
 * The rules of what other systems are told of one person, which the store runs in a transaction. Times
 * are in milliseconds since 1970.
 */

/** What waits of one person, in order. */
export interface EventQueue extends Line<QueuedEvent> {
  /** Left out where only `forgotten` waits, or only an id was ever known. */
  readonly email?: string | undefined
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
  const known: EventQueue = queue ?? { items: [], tries: 0, dueAt: now }
  // A link that is pressed twice is one no.
  const isSaid = (type: EventType) => type === 'left' && known.items.at(-1)?.type === 'left'
  const added = types.filter((type) => !isSaid(type)).map((type) => eventOf(type, now))
  return { ...lengthened(known, added, MOST_EVENTS), ...emailOf(email ?? known.email) }
}

const eventOf = (type: EventType, at: number): QueuedEvent => ({ id: newId('evt'), type, at })

/**
 * What waits of a person who is erased: that alone. It waits until nothing else can be on its way
 * to the receiver, so that it is the last thing that is said of them.
 */
export function erased(queue: EventQueue | undefined, now: number): EventQueue {
  const known = isErasure(queue) ? queue?.items[0] : undefined
  const { lease, leasedUntil } = queue ?? {}
  const isLeased = lease !== undefined && isAhead(leasedUntil, now)
  return inTurn({
    items: [known ?? eventOf('forgotten', now)],
    tries: 0,
    dueAt: isLeased ? leasedUntil : now,
    ...(isLeased && { lease, leasedUntil }),
  })
}

const isErasure = (queue: EventQueue | undefined) => queue?.items[0]?.type === 'forgotten'

/** Of all that are due, the earliest is sent first; an erasure that was not tried comes before all. */
const inTurn = (queue: EventQueue): EventQueue =>
  isErasure(queue) && queue.tries === 0 && queue.leasedUntil === undefined
    ? { ...queue, dueAt: 0 }
    : queue

/** Begins again, as if it had never failed. One that is on its way stays so. */
export const replayed = (queue: EventQueue, now: number): EventQueue =>
  inTurn(begunAgain(queue, now))

/**
 * As it comes back with a copy: it may have been sent since, and is held until the operator replays it.
 * An erasure must be heard, also twice.
 *
 * @param here what waits of the same person where it comes to: nothing from before an erasure joins it.
 */
export function restored(queue: EventQueue, now: number, here?: EventQueue): EventQueue {
  const known = new Set(here?.items.map(({ id }) => id))
  const added = queue.items.filter(({ id }) => !known.has(id))
  if (here && (added.length === 0 || isErasure(here))) return here
  const all = [...(here?.items ?? []), ...added].toSorted((one, other) => one.at - other.at)
  const line = released(lengthened({ ...queue, ...here, items: [] }, all, MOST_EVENTS), now)
  return isErasure(line) ? inTurn(line) : held(line, now)
}

const emailOf = (email: string | undefined) => (email === undefined ? {} : { email })

/** Reads a queue of the list or of a copy, which anybody may have made. */
export function queueIn(json: unknown): EventQueue | undefined {
  const row = objectIn(json)
  const line = lineIn(row, eventIn, MOST_EVENTS)
  return line && { ...line, ...emailOf(isText(row?.email) ? row.email : undefined) }
}

const eventIn = reader<QueuedEvent>({ id: asId, type: oneOf(eventTypes), at: asMoment })

/** What other systems have yet to be told of people, by an id of theirs. */
export const eventLines: LineKind<QueuedEvent, EventQueue> = {
  name: 'events',
  read: queueIn,
  after(queue, sent, answer, now) {
    const { end, line } = afterTry(queue, sent, answer, policy, now)
    // An erasure must be heard, however long that takes.
    return { end, line: end === 'over' && !isErasure(line) ? held(line, now) : inTurn(line) }
  },
}
