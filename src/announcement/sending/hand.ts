import { setTimeout as sleep } from 'node:timers/promises'
import type {
  ClaimedDelivery,
  ClaimWanted,
  DeliveryResult,
  DeliveryStatus,
} from '../../store/delivery-ledger.ts'
import type { DeliveryLedger } from '../../store/store.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import type { RetryPolicy } from './retry-policy.ts'

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
  readonly retryPolicy: RetryPolicy
  readonly onResult: (status: DeliveryStatus) => void
  readonly onWait: (what: Waits) => void
  /** Called when the ledger has answered. */
  readonly onAnswer: () => void
}

/**
 * Rows that a run has claimed and not begun, and results that are not noted yet. One call at a
 * time.
 */
export function hand(options: HandOptions) {
  const { store, owner, id, retryPolicy, onResult, onWait, onAnswer } = options
  const left = { untried: options.untried, tried: options.tried }
  let held: { readonly delivery: ClaimedDelivery; readonly since: number }[] = []
  let results: DeliveryResult[] = []
  let busy: Promise<void> | undefined
  let broken: { readonly error: unknown } | undefined
  /** From this time on, rows that were tried before may be due. */
  let triedFrom = 0

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

  /** Notes the results together with another call to the ledger. */
  async function noting<T>(work: (noted: readonly DeliveryResult[]) => Promise<T>): Promise<T> {
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
  }

  const note = () => noting((noted) => store.record(owner, id, noted))

  function ask(which: ClaimWanted['which'], limit: number): Promise<ClaimedDelivery[]> {
    return noting(async (noted) => {
      const claimed = await store.claim(owner, id, { limit, which }, noted)
      // If none was given, none is left, except those that come back with this call.
      left[which] = claimed.length > 0 || which === 'tried' ? left[which] - claimed.length : 0
      return claimed
    })
  }

  async function claim(limit: number): Promise<void> {
    let claimed: ClaimedDelivery[] = []
    if (isRetryTime()) {
      claimed = await ask('tried', limit)
      if (claimed.length === 0) triedFrom = Date.now() + retryPolicy.poll
    }
    if (claimed.length === 0 && left.untried > 0)
      claimed = await ask('untried', Math.min(limit, left.untried))
    const since = Date.now()
    held.push(...claimed.map((delivery) => ({ delivery, since })))
  }

  const isRetryTime = () => left.tried > 0 && Date.now() >= triedFrom

  function start(work: Promise<void>) {
    busy = work
      .catch((error) => {
        broken ??= { error }
      })
      .finally(() => {
        busy = undefined
        onAnswer()
      })
  }

  function giveBack(rows: typeof held) {
    for (const { delivery } of rows) {
      const { number, tries } = delivery
      results.push({ number, tries, status: 'returned' })
    }
  }

  return {
    get size() {
      return held.length
    },
    /** Whether a call to the ledger is under way. */
    get isBusy() {
      return busy !== undefined
    },
    /** How many results are not noted yet. */
    get ended() {
      return results.length
    },

    /** Gives at most this many rows that may be begun now. @throws what the ledger threw meanwhile */
    take(most: number): ClaimedDelivery[] {
      if (broken) throw broken.error
      const freshFrom = Date.now() - FRESH_MS
      giveBack(held.filter(({ since }) => since < freshFrom))
      held = held.filter(({ since }) => since >= freshFrom)
      return held.splice(0, most).map(({ delivery }) => delivery)
    },

    end: (result: DeliveryResult) => void results.push(result),

    /**
     * Begins to note results in the ledger, and to claim the rows that will be needed.
     *
     * @param open how many more could be begun now: what is claimed and not sent becomes `uncertain`
     *   when the run dies.
     */
    turn(open: number) {
      if (busy) return
      const wanted = open - held.length
      const isTime = held.length === 0 || results.length > 0
      if (isTime && wanted > 0 && (left.untried > 0 || isRetryTime())) start(claim(wanted))
      else if (results.length > 0) start(note())
    },

    /** When a row that was tried before is due; `undefined` when no row is left. */
    async nextRetry() {
      const due = await retried(() => store.nextRetry(id))
      if (due) {
        left.tried = Math.max(1, left.tried)
        triedFrom = due.getTime()
        onWait({ code: 'retry', people: left.tried })
      }
      return due
    },

    /** Gives back the rows that were not begun, and notes all results. @throws LockLost, StoreUnavailable */
    async empty() {
      await busy
      giveBack(held)
      held = []
      if (results.length > 0) await note()
      if (broken) throw broken.error
    },
  }
}
