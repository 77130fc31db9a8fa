import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { StoreUnavailable } from '../store/subscriber-store.ts'
import { afterAnswers, type Circuit, type CircuitState, stateOf } from './circuit-breaker.ts'
import { isAhead } from './retry-policy.ts'
import type { Answer, Ended } from './waiting-line.ts'

/** What is sent to one receiver: what is due of it, how it is sent, and what a result means. */
export interface Kind<Item> {
  /** What the log calls it, and its receiver: `Events`, to a host. */
  readonly what: string
  readonly to: string
  /** The most that a round begins, and the most that are under way with those that are late. */
  readonly atOnce: number
  readonly most: number
  /** Takes what is due, so that no other process sends it. @throws StoreUnavailable */
  claim(limit: number): Promise<{ readonly items: readonly Item[]; readonly isMore?: boolean }>
  /** Sends it once, in a bounded time. A fault of the network is an answer, no exception. */
  send(item: Item): Promise<Answer>
  /** Notes how it ended; left out where `send` does so. @throws StoreUnavailable */
  settle?(ended: readonly Ended<Item>[]): Promise<void>
  /** For whom it is. */
  person(item: Item): string
  /** How many people's answers say that the receiver is away; left out, several. */
  readonly several?: number
  /** What is known of the receiver; left out, what it answered here. @throws StoreUnavailable */
  circuit?(): Promise<Circuit>
  readonly times: KindTimes
}

/** All in milliseconds. */
export interface KindTimes {
  /** Longer than a try can take. */
  readonly lease: number
  /** Between two looks that find nothing. It never depends on sign-ups, so it reveals none. */
  readonly look: number
  /** While the receiver is away: one after the other, the last one again and again. */
  readonly pauses: readonly number[]
  /** What has no answer for longer keeps no other waiting. */
  readonly late: number
}

/** What is done round after round. */
export interface Work {
  /** Is done before the first one, if the store is there. @throws StoreUnavailable */
  readonly begin?: () => Promise<unknown>
  /** Sends what is due. @returns whether there may be more to do at once. @throws StoreUnavailable */
  readonly round: () => Promise<boolean>
  /** How long to wait after a round that left nothing to do, in milliseconds. */
  readonly nextPause: () => number
  /** Says that an unexpected error ended a round. @param name its own: its message may have an address. */
  readonly onFault: (name: string) => void
  /** Ends what is under way, before it is waited for and noted. */
  readonly stop?: () => void
  readonly finish?: () => Promise<unknown>
  /** Is done last, whatever is still under way. */
  readonly end?: () => void
}

/** The round in which everything leaves. @param log gets sentences without addresses and URLs. */
export function sending<Item>(
  kind: Kind<Item>,
  log: (message: string) => void,
  now: () => Date = () => new Date(),
): Work & Required<Pick<Work, 'finish'>> {
  const { times } = kind
  const receiver = receiverOf(kind, log)
  const underWay = new Set<Promise<void>>()
  let [ended, faults]: [Ended<Item>[], unknown[]] = [[], []]
  let lateUntil = 0
  async function send(item: Item) {
    const since = now().getTime()
    const answer = await kind.send(item)
    const at = now().getTime()
    // It is known now that some have no answer for long: the others need not wait for these.
    if (answer.kind === 'failed' && at - since > times.late) lateUntil = at + times.lease
    ended.push({ item, answer })
  }

  function start(item: Item) {
    const sent = send(item)
      .catch((cause) => void faults.push(cause))
      .finally(() => underWay.delete(sent))
    underWay.add(sent)
  }

  /** @returns whether anything had ended. */
  async function settle(): Promise<boolean> {
    const [all, [fault]] = [ended, faults]
    ;[ended, faults] = [[], []]
    if (all.length > 0) {
      await kind.settle?.(all)
      receiver.answered(all, now().getTime())
    }
    if (fault) throw fault
    return all.length > 0
  }

  return {
    async round() {
      const { notBefore } = await receiver.look()
      const free = Math.min(kind.atOnce, kind.most - underWay.size)
      const most = isAhead(notBefore, now().getTime()) ? 0 : free
      const { items, isMore = false } = most > 0 ? await kind.claim(most) : { items: [] }
      items.forEach(start)
      const isPatient = lateUntil <= now().getTime()
      const late = isPatient ? [] : [sleep(times.late, undefined, { ref: false })]
      await Promise.race([Promise.all(underWay), ...late])
      const isAnswered = await settle()
      // What was looked at and is not sent delays no other.
      return underWay.size > 0 || (isAnswered ? !receiver.isAway() : isMore)
    },
    nextPause: receiver.nextPause,
    onFault: (name) => log(`${kind.what} cannot be sent: ${name}`),
    async finish() {
      await Promise.all(underWay)
      await settle()
    },
  }
}

/** What is known of a receiver, and said of it. */
function receiverOf<Item>(kind: Kind<Item>, log: (message: string) => void) {
  const { what, to, times } = kind
  let [circuit, state]: [Circuit, CircuitState] = [{}, 'well']
  let pauses = 0
  return {
    async look(): Promise<Circuit> {
      circuit = (await kind.circuit?.()) ?? circuit
      return circuit
    },
    answered(ended: readonly Ended<Item>[], now: number) {
      const answered = ended.map(({ item, answer }) => ({ person: kind.person(item), answer }))
      circuit = afterAnswers(circuit, answered, now, kind.several)
      const before = state
      state = stateOf(circuit)
      if (state !== 'away') pauses = 0
      if (state === before) return
      const kept = `(${circuit.failure}). What is kept is sent again later.`
      if (state === 'failing') log(`${what}: one was not taken by ${to} ${kept}`)
      else if (state === 'away') log(`${what} cannot reach ${to} ${kept}`)
      else if (before === 'away') log(`${what} reach ${to} again.`)
    },
    isAway: () => state === 'away',
    nextPause() {
      if (state !== 'away') return times.look
      pauses += 1
      return times.pauses[Math.min(pauses, times.pauses.length) - 1] ?? times.look
    },
  }
}

const BEGIN_WITHIN_MS = 2000
const CLOSE_WITHIN_MS = 5000

export interface Running {
  /** Waits for what is under way, a few seconds at most. */
  close(): Promise<void>
}

/**
 * Begins before the first sign-up, so that it is told. A store that is away does not delay the page:
 * then this begins when it can.
 */
export async function begun(work: Work): Promise<Running> {
  const first = work.begin?.().catch(unlessAway)
  await Promise.race([first, sleep(BEGIN_WITHIN_MS, undefined, { ref: false })])
  return rounds(work)
}

/** Works round after round until it is closed, apart from the answers to visitors. */
export function rounds(work: Work): Running {
  const closing = new AbortController()
  const { signal } = closing
  /** It is said once, until a round goes well. */
  let fault: string | undefined

  async function tried<T>(attempt: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await attempt()
      fault = undefined
      return result
    } catch (cause) {
      // The store itself reports an outage.
      if (cause instanceof StoreUnavailable) return undefined
      const { name } = cause as Error
      if (name !== fault) work.onFault(name)
      fault = name
      return undefined
    }
  }

  async function run() {
    while (!signal.aborted)
      if (await tried(work.round)) await giveWay(signal)
      else await sleep(work.nextPause(), undefined, { signal, ref: false }).catch(() => {})
    if (work.finish) await tried(work.finish)
  }

  const running = run()
  return {
    async close() {
      closing.abort()
      work.stop?.()
      await Promise.race([running, sleep(CLOSE_WITHIN_MS, undefined, { ref: false })])
      work.end?.()
    },
  }
}

function unlessAway(cause: unknown) {
  if (!(cause instanceof StoreUnavailable)) throw cause
}

/** Long enough to measure, and short beside the time that a mail server takes for a letter. */
const LOOK_MS = 10
const REST_MS = 1000
/** From this share of the event loop's time on, visitors would have to wait. */
const BUSY = 0.5

/**
 * Lets visitors go first: a letter takes as much of the processor as tens of sign-ups. Waits for a
 * moment without sending, and longer if the event loop was busy in it.
 */
export async function giveWay(signal: AbortSignal): Promise<void> {
  const before = performance.eventLoopUtilization()
  const wait = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {})
  await wait(LOOK_MS)
  if (performance.eventLoopUtilization(before).utilization > BUSY) await wait(REST_MS)
}
