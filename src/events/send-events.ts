import { type KindTimes, rounds, sending, type Work } from '../queue/round.ts'
import type { EventType } from '../shared/event-types.ts'
import type { Events } from '../store/events.ts'
import type { Receiver } from './receiver.ts'

export interface SendEventsOptions {
  readonly events: Pick<Events, 'open' | 'feed' | 'claim' | 'settle'>
  readonly receiver: Receiver
  readonly types: readonly EventType[]
  /** A keyed hash of the receiver's URL. */
  readonly place: string
  /** Logs when the receiver is away and when it is back; without addresses and URLs. */
  readonly log: (message: string) => void
  readonly now?: () => Date
  readonly times?: Partial<KindTimes>
}

const usual: KindTimes = { lease: 180_000, look: 1000, pauses: [4000], late: 4000 }

export interface SendingEvents {
  /** Opens the feed: what happens from then on is sent. @throws StoreUnavailable */
  begin(): Promise<void>
  run(): void
  close(): Promise<void>
}

/** Sends events until it is closed, apart from the answers to visitors. */
export function sendEvents(options: SendEventsOptions): SendingEvents {
  const { begin, ...work } = eventRounds(options)
  let running: ReturnType<typeof rounds> | undefined
  return {
    begin,
    run() {
      running = rounds(work)
    },
    async close() {
      options.receiver.close()
      await running?.close()
    },
  }
}

/** What a round sends, and how long to wait after it. */
export function eventRounds(
  options: SendEventsOptions,
): Required<Work> & Pick<SendingEvents, 'begin'> {
  const { events, receiver, types, place, log, now = () => new Date() } = options
  const times = { ...usual, ...options.times }
  const { label } = receiver
  const isKept = 'kept, and sent again later.'
  let isOpen = false

  async function begin() {
    if (!isOpen) await events.open(types, place, now())
    isOpen = true
  }

  const work = sending(
    {
      // A slow receiver holds no more people's events than these.
      atOnce: 8,
      most: 48,
      claim: async (limit) => ({ items: await events.claim(limit, times.lease, now()) }),
      send: (event) => receiver.send(event, now()),
      settle: (ended) =>
        events.settle(
          ended.map(({ item: event, answer }) => ({ event, answer })),
          now(),
        ),
      person: ({ person }) => person,
      async circuit() {
        await begin()
        return (await events.feed()) ?? {}
      },
      words: {
        failing: (failure) => `An event was not taken by ${label} (${failure}). It is ${isKept}`,
        away: (failure) => `Events cannot reach ${label} (${failure}). They are ${isKept}`,
        back: `Events reach ${label} again.`,
        fault: (name) => `No event can be sent: ${name}`,
      },
      times,
    },
    log,
    now,
  )
  return { begin, ...work }
}
