import { begun, type KindTimes, type Running, sending, type Work } from '../queue/sending-round.ts'
import type { EventType } from '../shared/event-types.ts'
import type { Events } from '../store/store.ts'
import { feedPlace, type Receiver, type ReceiverOptions, receiverAt } from './receiver.ts'

interface SendEventsOptions {
  readonly events: Pick<Events, 'open' | 'feed' | 'claim' | 'settle'>
  readonly receiver: Receiver
  readonly types: readonly EventType[]
  /** A keyed hash of the receiver's URL. */
  readonly place: string
  readonly log: (message: string) => void
  readonly now?: () => Date
  readonly times?: Partial<KindTimes>
}

const usual: KindTimes = { lease: 180_000, look: 1000, pauses: [4000], late: 4000 }

/** Sends events, apart from the answers to visitors. What happens before it begins is not sent. */
export function eventRounds(options: SendEventsOptions): Work & Required<Pick<Work, 'begin'>> {
  const { events, receiver, types, place, log, now = () => new Date() } = options
  const times = { ...usual, ...options.times }
  let isOpen = false

  async function begin() {
    if (!isOpen) await events.open(types, place)
    isOpen = true
  }

  const work = sending(
    {
      what: 'Events',
      to: receiver.label,
      // A slow receiver holds no more people's events than these.
      atOnce: 8,
      most: 48,
      claim: async (limit) => ({ items: await events.claim(limit, times.lease, now()) }),
      send: (event) => receiver.send(event, now()),
      settle: (ended) => events.settle(ended, now()),
      person: ({ person }) => person,
      async circuit() {
        await begin()
        return (await events.feed()) ?? {}
      },
      times,
    },
    log,
    now,
  )
  return { ...work, begin, stop: receiver.close }
}

/** Sends what becomes of people to the receiver of the settings, until it is closed. */
export function tellOfPeople(
  events: Events,
  { types, ...receiver }: ReceiverOptions & Pick<SendEventsOptions, 'types'>,
  linkKey: Buffer,
  log: SendEventsOptions['log'],
): Promise<Running> {
  const place = feedPlace(linkKey, receiver.url)
  return begun(eventRounds({ events, receiver: receiverAt(receiver), types, place, log }))
}
