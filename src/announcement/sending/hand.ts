import { setTimeout as sleep } from 'node:timers/promises'
import type {
  ClaimedDelivery,
  ClaimWanted,
  DeliveryResult,
  DeliveryStatus,
} from '../../store/delivery-ledger.ts'
import type { DeliveryLedger } from '../../store/store.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import type { SendingPolicy } from './retry-policy.ts'
import { tasks } from './tasks.ts'

/** A row that waits longer than this for its turn goes back: its recipient may have left by then. */
const FRESH_MS = 3_000

/** What a run waits for: the store, the mail server, or the next try of deferred recipients. */
export type Waits =
  | { readonly code: 'store' | 'mail'; readonly answer: string }
  | { readonly code: 'retry'; readonly people: number }

export interface HandOptions {
  readonly store: DeliveryLedger
  readonly owner: string
  /** The announcement's. */
  readonly id: string
  /** How many rows that were never tried may be taken. */
  readonly untried: number
  /** How many rows that were tried before are in the queue. */
  readonly tried: number
  readonly retryPolicy: SendingPolicy
  readonly onResult: (status: DeliveryStatus) => void
  readonly onWait: (what: Waits) => void
  /** Called when the ledger has answered. */
  readonly onAnswer: () => void
}

/** How many rows a run may take from the queue, as far as it knows. */
type Left = Record<ClaimWanted['which'], number>

/** Results that are not noted yet: each call to the ledger notes them. */
function unnoted({ retryPolicy, onResult, onWait }: HandOptions, left: Left) {
  let results: DeliveryResult[] = []

  /** Waits for the ledger for a bounded time, since results must be noted. */
  async function retried<T>(work: () => Promise<T>): Promise<T> {
    const giveUpAt = performance.now() + retryPolicy.store
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || performance.now() > giveUpAt) throw error
        onWait({ code: 'store', answer: error.message })
        await sleep(retryPolicy.poll)
      }
    }
  }

  return {
    size: () => results.length,
    add: (result: DeliveryResult) => void results.push(result),
    retried,

    /** Notes the results together with another call to the ledger. */
    async with<T>(work: (noted: readonly DeliveryResult[]) => Promise<T>): Promise<T> {
      const noted = results
      results = []
      try {
        const done = await retried(() => work(noted))
        for (const { status, tries } of noted)
          if (status === 'returned') left[tries > 1 ? 'tried' : 'untried'] += 1
          else {
            if (status === 'queued') left.tried += 1
            onResult(status)
          }
        return done
      } catch (error) {
        // Noting it twice changes nothing.
        results = [...noted, ...results]
        throw error
      }
    },
  }
}

/** What a run takes from the queue: rows that were tried before go first, once they are due. */
function queue(
  { store, owner, id, retryPolicy, onWait }: HandOptions,
  left: Left,
  results: ReturnType<typeof unnoted>,
) {
  /** From this time on, rows that were tried before may be due. */
  let triedFrom = 0
  const isRetryTime = () => left.tried > 0 && Date.now() >= triedFrom

  const ask = (which: ClaimWanted['which'], limit: number): Promise<ClaimedDelivery[]> =>
    results.with(async (noted) => {
      const claimed = await store.claim(owner, id, { limit, which }, noted)
      // If none was given, none is left, except those that come back with this call.
      left[which] = claimed.length > 0 || which === 'tried' ? left[which] - claimed.length : 0
      return claimed
    })

  return {
    mayHaveMore: () => left.untried > 0 || isRetryTime(),
    note: () => results.with((noted) => store.record(owner, id, noted)),

    async claim(limit: number): Promise<ClaimedDelivery[]> {
      if (isRetryTime()) {
        const claimed = await ask('tried', limit)
        if (claimed.length > 0) return claimed
        triedFrom = Date.now() + retryPolicy.poll
      }
      return left.untried > 0 ? ask('untried', Math.min(limit, left.untried)) : []
    },

    /** When a row that was tried before is due; `undefined` when no row is left. */
    async nextRetry() {
      const due = await results.retried(() => store.nextRetry(id))
      if (due) {
        left.tried = Math.max(1, left.tried)
        triedFrom = due.getTime()
        onWait({ code: 'retry', people: left.tried })
      }
      return due
    },
  }
}

/**
 * Rows that a run has claimed and not begun, and results that are not noted yet. One call at a
 * time.
 */
export function hand(options: HandOptions) {
  const left = { untried: options.untried, tried: options.tried }
  const results = unnoted(options, left)
  const { claim, mayHaveMore, nextRetry, note } = queue(options, left, results)
  const calls = tasks(options.onAnswer)
  let held: { readonly delivery: ClaimedDelivery; readonly since: number }[] = []

  async function hold(wanted: number): Promise<void> {
    const claimed = await claim(wanted)
    const since = Date.now()
    held.push(...claimed.map((delivery) => ({ delivery, since })))
  }

  /** Gives back the rows that are held, but those since a time. */
  function giveBack(from: number) {
    for (const { delivery, since } of held)
      if (since < from)
        results.add({ number: delivery.number, tries: delivery.tries, status: 'returned' })
    held = held.filter(({ since }) => since >= from)
  }

  return {
    size: () => held.length,
    /** Whether a call to the ledger is under way. */
    isBusy: () => calls.size() > 0,
    /** How many results are not noted yet. */
    ended: results.size,
    end: results.add,
    nextRetry,

    /** Gives at most this many rows that may be begun now. @throws what the ledger threw meanwhile */
    take(most: number): ClaimedDelivery[] {
      calls.check()
      giveBack(Date.now() - FRESH_MS)
      return held.splice(0, most).map(({ delivery }) => delivery)
    },

    /**
     * Begins to note results in the ledger, and to claim the rows that will be needed.
     *
     * @param open how many more could be begun now: what is claimed and not sent becomes `uncertain`
     *   when the run dies.
     */
    turn(open: number) {
      if (calls.size() > 0) return
      const wanted = open - held.length
      const isTime = held.length === 0 || results.size() > 0
      if (isTime && wanted > 0 && mayHaveMore()) calls.start(hold(wanted))
      else if (results.size() > 0) calls.start(note())
    },

    /** Gives back the rows that were not begun, and notes all results. @throws LockLost, StoreUnavailable */
    async empty() {
      await calls.all()
      giveBack(Number.POSITIVE_INFINITY)
      if (results.size() > 0) await note()
      calls.check()
    },
  }
}
