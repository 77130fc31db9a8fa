import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { StoreUnavailable } from '../store/subscriber-store.ts'
import { afterAnswers, type Circuit, stateOf } from './circuit-breaker.ts'
import type { Answer } from './line.ts'
import { isAhead } from './retry-policy.ts'

/** What is sent to one receiver: what there is of it, how it is sent, and what a result means. */
export interface Kind<Item> {
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
  readonly words: KindWords
  readonly times: KindTimes
}

export interface Ended<Item> {
  readonly item: Item
  readonly answer: Answer
}

/** What is logged, without addresses and URLs. */
export interface KindWords {
  readonly failing: (failure: string) => string
  readonly away: (failure: string) => string
  /** It was away, and is back. */
  readonly back: string
  /** @param name of an unexpected error, whose message may have an address. */
  readonly fault: (name: string) => string
}

/** All in milliseconds. */
export interface KindTimes {
  /** Longer than a try can take. */
  readonly lease: number
  /** Between two looks that find nothing. */
  readonly look: number
  /** While the receiver is away: one after the other, the last one again and again. */
  readonly pauses: readonly number[]
  /** What has no answer for longer keeps no other waiting. */
  readonly late: number
}

/** What is done round after round. */
export interface Work {
  /** Sends what is due. @returns whether there may be more to do at once. */
  readonly round: () => Promise<boolean>
  /** How long to wait after a round that left nothing to do, in milliseconds. */
  readonly nextPause: () => number
  /** Gets unexpected errors; the store itself reports an outage. */
  readonly onFault: (cause: Error) => void
  /** Waits for what is under way, and notes it. */
  readonly finish?: () => Promise<void>
}

/** The round in which everything leaves. */
export function sending<Item>(
  kind: Kind<Item>,
  log: (message: string) => void,
  now: () => Date = () => new Date(),
): Required<Work> {
  const { words, times } = kind
  const underWay = new Set<Promise<void>>()
  let ended: Ended<Item>[] = []
  let [circuit, state]: [Circuit, ReturnType<typeof stateOf>] = [{}, 'well']
  let [pauses, lateUntil] = [0, 0]
  let fault: string | undefined

  function onFault(cause: Error) {
    if (cause instanceof StoreUnavailable || fault === cause.name) return
    fault = cause.name
    log(words.fault(fault))
  }

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
      .catch(onFault)
      .finally(() => underWay.delete(sent))
    underWay.add(sent)
  }

  /** @returns whether anything had ended. */
  async function settle(): Promise<boolean> {
    const all = ended
    ended = []
    if (all.length === 0) return false
    await kind.settle?.(all)
    const answered = all.map(({ item, answer }) => ({ person: kind.person(item), answer }))
    circuit = afterAnswers(circuit, answered, now().getTime(), kind.several)
    const before = state
    state = stateOf(circuit)
    if (state !== 'away') pauses = 0
    if (state !== 'well' && state !== before) log(words[state](circuit.failure ?? ''))
    if (state === 'well' && before === 'away') log(words.back)
    fault = undefined
    return true
  }

  async function round(): Promise<boolean> {
    circuit = (await kind.circuit?.()) ?? circuit
    const isGone = isAhead(circuit.notBefore, now().getTime())
    const room = isGone ? 0 : Math.min(kind.atOnce, kind.most - underWay.size)
    const { items, isMore = false } = room > 0 ? await kind.claim(room) : { items: [] }
    items.forEach(start)
    const isPatient = lateUntil <= now().getTime()
    const late = isPatient ? [] : [sleep(times.late, undefined, { ref: false })]
    await Promise.race([Promise.all(underWay), ...late])
    if (await settle()) return underWay.size > 0 || state !== 'away'
    // What was looked at and is not sent delays no other.
    return underWay.size > 0 || (isMore && items.length === 0)
  }

  return {
    round,
    onFault,
    nextPause() {
      if (state !== 'away') return times.look
      pauses += 1
      return times.pauses[Math.min(pauses, times.pauses.length) - 1] ?? times.look
    },
    async finish() {
      await Promise.all(underWay)
      await settle()
    },
  }
}

const CLOSE_WITHIN_MS = 5000

/** Works round after round until it is closed, apart from the answers to visitors. */
export function rounds(work: Work): { close(): Promise<void> } {
  const closing = new AbortController()
  const { signal } = closing

  async function run() {
    while (!signal.aborted) {
      let isMore = false
      try {
        isMore = await work.round()
      } catch (cause) {
        if (!(cause instanceof StoreUnavailable)) work.onFault(cause as Error)
      }
      if (isMore) await giveWay(signal)
      else await sleep(work.nextPause(), undefined, { signal, ref: false }).catch(() => {})
    }
    await work.finish?.().catch(work.onFault)
  }

  const running = run()
  return {
    /** Waits for what is under way, a few seconds at most. */
    async close() {
      closing.abort()
      await Promise.race([running, sleep(CLOSE_WITHIN_MS, undefined, { ref: false })])
    },
  }
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
