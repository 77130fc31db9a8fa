import { type RoundsOptions, rounds } from '../outbox/rounds.ts'
import type { EventType } from '../shared/event-types.ts'
import type { EventAnswer } from '../store/event-queue.ts'
import type { Events } from '../store/events.ts'
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
  /** The pause while the receiver is away; it doubles each time, up to the longest. */
  readonly pause: number
  readonly longestPause: number
}

const MINUTE = 60_000
const usual: EventTimes = { lease: 3 * MINUTE, pause: 5000, longestPause: 5 * MINUTE }

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
  let problem: string | undefined
  let pause = times.pause

  async function begin() {
    if (!isOpen) await events.open(types, place, now())
    isOpen = true
  }

  function say(failure: string | undefined) {
    const { label } = receiver
    if (failure && problem === undefined)
      log(`Events cannot reach ${label} (${failure}). They are kept, and sent again later.`)
    if (!failure && problem !== undefined) log(`Events reach ${label} again.`)
    problem = failure
  }

  async function round(): Promise<boolean> {
    await begin()
    const { notBefore = 0 } = (await events.feed()) ?? {}
    if (notBefore > now().getTime()) return false
    // While it is away, one event tries whether it is back.
    const claimed = await events.claim(problem === undefined ? AT_ONCE : 1, times.lease, now())
    if (claimed.length === 0) return false
    const ended = await Promise.all(
      claimed.map(async (event) => ({ event, answer: await receiver.send(event, now()) })),
    )
    await events.settle(ended, now())
    const away = ended.map(({ answer }) => answer).find(isAway)
    const isAnyTaken = ended.some(({ answer }) => answer.kind === 'taken')
    if (isAnyTaken) pause = times.pause
    say(isAnyTaken ? undefined : (away?.failure ?? problem))
    return problem === undefined
  }

  function nextPause() {
    if (problem === undefined) return events.lookEveryMs
    const wait = pause
    pause = Math.min(2 * pause, times.longestPause)
    return wait
  }

  return { begin, round, nextPause, onFault: (cause) => log(`No event can be sent: ${cause.name}`) }
}

function isAway(answer: EventAnswer): answer is Extract<EventAnswer, { kind: 'failed' }> {
  return answer.kind === 'failed' && answer.isAway
}
