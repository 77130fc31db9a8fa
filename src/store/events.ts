import type { EventQueue } from '../people/event-queue.ts'
import { type Circuit, circuitIn } from '../queue/circuit-breaker.ts'
import { type EventType, eventTypes } from '../shared/event-types.ts'
import { fieldsOf, isCount, objectIn } from '../shared/stored-json.ts'

/** Whether events are written, and how the receiver answers. Times are in milliseconds since 1970. */
export interface EventFeed extends Circuit {
  readonly isOn: boolean
  readonly types: readonly EventType[]
  /** A keyed hash of the receiver's URL. */
  readonly place: string
  /** How many events were dropped that this version cannot read. */
  readonly dropped?: number | undefined
}

/**
 * A feed as it is stored, which anybody may have written. @returns nothing of one that cannot be read,
 * since nobody who signs up may wait for it: it is opened anew.
 */
export function feedFrom(stored: unknown): EventFeed | undefined {
  const row = objectIn(stored) ?? {}
  const { isOn, types, place } = row
  if (!Array.isArray(types) || typeof place !== 'string') return undefined
  const known = eventTypes.filter((type) => types.includes(type))
  const fields = { isOn: isOn === true, types: known, place }
  return { ...fields, ...circuitIn(row), ...fieldsOf(row, ['dropped'], isCount) }
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
