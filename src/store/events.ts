import { type Circuit, circuitFields } from '../queue/circuit-breaker.ts'
import { type EventType, eventTypes } from '../shared/event-types.ts'
import { asCount, asFlag, asText, reader } from '../shared/stored-json.ts'

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
export const feedFrom = reader<EventFeed>(
  {
    isOn: asFlag,
    types: (stored) =>
      Array.isArray(stored) ? eventTypes.filter((type) => stored.includes(type)) : undefined,
    place: asText,
  },
  { dropped: asCount, ...circuitFields },
)

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
