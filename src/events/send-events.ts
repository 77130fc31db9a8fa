import { type RoundsOptions, rounds } from '../outbox/rounds.ts'
import type { EventType } from '../shared/event-types.ts'
import { afterAnswers } from '../store/event-feed.ts'
import type { EventFeed, Events } from '../store/events.ts'
import type { Receiver } from './receiver.ts'

export interface SendEventsOptions {
  readonly events: Pick<Events, 'lookEveryMs' | 'open' | 'feed' | 'claim' | 'settle'>
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
  /**
   * The pause while the receiver is away; it doubles each time, up to the longest. That is short, since
   * each event has waits of its own.
   */
  readonly pause: number
  readonly longestPause: number
}

const MINUTE = 60_000
const usual: EventTimes = { lease: 3 * MINUTE, pause: 5000, longestPause: 20_000 }

/** People whose events are sent at the same time: a slow receiver holds no more than these. */
const AT_ONCE = 8

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
  let pause = times.pause

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

  async function round(): Promise<boolean> {
    await begin()
    const feed = await events.feed()
    if (!feed || (feed.notBefore ?? 0) > now().getTime()) return false
    const claimed = await events.claim(AT_ONCE, times.lease, now())
    if (claimed.length === 0) return false
    const ended = await Promise.all(
      claimed.map(async (event) => ({ event, answer: await receiver.send(event, now()) })),
    )
    await events.settle(ended, now())
    note(afterAnswers(feed, ended, now().getTime()).feed)
    if (state !== 'away') pause = times.pause
    return state !== 'away'
  }

  function nextPause() {
    if (state !== 'away') return events.lookEveryMs
    const wait = pause
    pause = Math.min(2 * pause, times.longestPause)
    return wait
  }

  return { begin, round, nextPause, onFault: (cause) => log(`No event can be sent: ${cause.name}`) }
}
