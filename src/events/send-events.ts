import { setTimeout as sleep } from 'node:timers/promises'
import { type RoundsOptions, rounds } from '../outbox/rounds.ts'
import type { EventType } from '../shared/event-types.ts'
import { afterAnswers } from '../store/event-feed.ts'
import type { ClaimedEvent, EndedEvent, EventFeed, Events } from '../store/events.ts'
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
  readonly times?: Partial<EventTimes>
}

/** All in milliseconds. */
export interface EventTimes {
  /** Longer than a try can take. */
  readonly lease: number
  /** Between two looks that find nothing. */
  readonly look: number
  /** While the receiver is away; without an answer for longer, an event is late. */
  readonly pause: number
}

const usual: EventTimes = { lease: 180_000, look: 1000, pause: 4000 }

/** People whose events are sent at the same time: a slow receiver holds no more than these. */
const AT_ONCE = 8
/** With those that are late: events of somebody that are never answered keep no other waiting. */
const MOST_AT_ONCE = 48

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
): RoundsOptions & Pick<SendingEvents, 'begin'> {
  const { events, receiver, types, place, log, now = () => new Date() } = options
  const times = { ...usual, ...options.times }
  let isOpen = false
  let state: 'well' | 'failing' | 'away' = 'well'
  const sending = new Set<Promise<void>>()
  const ended: EndedEvent[] = []
  let lateUntil = 0

  async function begin() {
    if (!isOpen) await events.open(types, place, now())
    isOpen = true
  }

  function note({ failing, failure, awaySince }: EventFeed) {
    const before = state
    state = awaySince !== undefined ? 'away' : failing ? 'failing' : 'well'
    if (state === before) return
    const { label } = receiver
    if (state === 'away')
      log(`Events cannot reach ${label} (${failure}). They are kept, and sent again later.`)
    else if (state === 'failing')
      log(`An event was not taken by ${label} (${failure}). It is kept, and sent again later.`)
    else if (before === 'away') log(`Events reach ${label} again.`)
  }

  async function send(event: ClaimedEvent) {
    const since = now().getTime()
    const answer = await receiver.send(event, now())
    const at = now().getTime()
    if (answer.kind === 'failed' && at - since > times.pause) lateUntil = at + times.lease
    ended.push({ event, answer })
  }

  async function round(): Promise<boolean> {
    await begin()
    const feed = await events.feed()
    const isGone = (feed?.notBefore ?? 0) > now().getTime()
    const room = feed && !isGone ? Math.min(AT_ONCE, MOST_AT_ONCE - sending.size) : 0
    const claimed = room > 0 ? await events.claim(room, times.lease, now()) : []
    for (const event of claimed) {
      const sent = send(event)
        .catch(onFault)
        .finally(() => sending.delete(sent))
      sending.add(sent)
    }
    const isPatient = lateUntil <= now().getTime()
    const late = isPatient ? [] : [sleep(times.pause, undefined, { ref: false })]
    await Promise.race([Promise.all(sending), ...late])
    const answered = ended.splice(0)
    if (feed && answered.length > 0) {
      await events.settle(answered, now())
      note(afterAnswers(feed, answered, now().getTime()).feed)
    }
    return sending.size > 0 || (answered.length > 0 && state !== 'away')
  }

  const nextPause = () => (state === 'away' ? times.pause : times.look)
  const onFault = (cause: Error) => log(`No event can be sent: ${cause.name}`)

  return { begin, round, nextPause, onFault }
}
