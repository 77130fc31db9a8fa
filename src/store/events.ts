import type { EventQueue } from '../people/event-queue.ts'
import type { Circuit } from '../queue/circuit-breaker.ts'
import type { Ended } from '../queue/line.ts'
import { type EventType, eventTypes } from '../shared/event-types.ts'
import { isCount, objectIn } from '../shared/stored-json.ts'

/**
 * What other systems are told of people. An event is written in the transaction of what it reports,
 * and what waits of one person is sent in order. Before the feed is opened, nothing is written.
 */
export interface Events {
  /**
   * From now on these events are written, and sent to this place.
   *
   * @param place a keyed hash of its URL. @throws StoreUnavailable
   */
  open(types: readonly EventType[], place: string, now: Date): Promise<void>

  /**
   * From now on only erasures are written, if there ever was a feed that had them.
   *
   * @throws StoreUnavailable
   */
  close(): Promise<void>

  /** @returns `undefined` where there never was one. @throws StoreUnavailable */
  feed(): Promise<EventFeed | undefined>

  /**
   * Takes the first event of people for whom one is due, so that no other process sends it: erasures
   * and what was not tried yet go first.
   *
   * @throws StoreUnavailable
   */
  claim(limit: number, leaseMs: number, now: Date): Promise<readonly ClaimedEvent[]>

  /** Notes how sending ended. @throws StoreUnavailable */
  settle(ended: readonly Ended<ClaimedEvent>[], now: Date): Promise<void>

  /** @throws StoreUnavailable */
  counts(): Promise<EventCounts>

  /** The people of whom something waits, in the order of their ids. @throws StoreUnavailable */
  waiting(limit: number): Promise<readonly WaitingPerson[]>

  /** Makes everything due that waits or is held. @returns for how many people. @throws StoreUnavailable */
  replay(now: Date): Promise<number>

  /**
   * Restores what waited when a copy was made, with its ids, unless something waits of that person
   * here, or they were forgotten since.
   *
   * @throws StoreUnavailable
   */
  restore(waiting: readonly WaitingPerson[], now: Date): Promise<void>
}

/** Whether events are written, and how the receiver answers. Times are in milliseconds since 1970. */
export interface EventFeed extends Circuit {
  readonly isOn: boolean
  readonly types: readonly EventType[]
  readonly place: string
  readonly since: number
  /** How many events were dropped that this version cannot read. */
  readonly dropped?: number | undefined
}

/**
 * A feed as it is stored, which anybody may have written. @returns nothing of one that cannot be read,
 * since nobody who signs up may wait for it: it is opened anew.
 */
export function feedFrom(stored: unknown): EventFeed | undefined {
  const { isOn, types, place, since, failing: failed, ...row } = objectIn(stored) ?? {}
  if (!Array.isArray(types) || typeof place !== 'string' || !isCount(since)) return undefined
  const known = eventTypes.filter((type) => types.includes(type))
  const fields: Record<string, unknown> = { isOn: isOn === true, types: known, place, since }
  for (const name of ['dropped', 'awaySince', 'lastAt', 'notBefore'])
    if (isCount(row[name])) fields[name] = row[name]
  if (typeof row.failure === 'string') fields.failure = row.failure
  const failing = objectIn(failed)
  if (isCount(failing?.since) && Array.isArray(failing.people)) fields.failing = failing
  return fields as unknown as EventFeed
}

export interface ClaimedEvent {
  readonly id: string
  readonly type: EventType
  readonly at: Date
  readonly person: string
  /** Left out where the event is `forgotten`, or only an id was ever known. */
  readonly email?: string | undefined
  /** Of the event `answered`: what is kept as their answer now. */
  readonly answer?: string | undefined
  /** Identifies this try. */
  readonly lease: string
}

export interface EventCounts {
  /** Of how many people something waits, with those whose events are held. */
  readonly people: number
  readonly held: number
  /** Erasures that were not acknowledged. */
  readonly forgotten: number
  /** When the oldest of them was written, in milliseconds since 1970. */
  readonly oldest?: number | undefined
}

export interface WaitingPerson {
  readonly person: string
  readonly queue: EventQueue
}
