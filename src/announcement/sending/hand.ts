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
}

/** The rows that a run takes from the queue, and the ends that are not noted yet. One call at a time. */
export function hand(options: HandOptions) {
  const { store, owner, id, retryPolicy, onResult, onWait } = options
  /** How many rows may be taken, as far as it is known. */
  const left = { untried: options.untried, tried: options.tried }
  /** From this time on, rows that were tried before may be due. */
  let triedFrom = 0
  let ended: DeliveryResult[] = []

  const isRetryTime = () => left.tried > 0 && Date.now() >= triedFrom

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

  /** Notes what has ended together with another call to the ledger. */
  async function noting<T>(work: (noted: readonly DeliveryResult[]) => Promise<T>): Promise<T> {
    const noted = ended
    ended = []
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
      ended = [...noted, ...ended]
      throw error
    }
  }

  const ask = (which: ClaimWanted['which'], limit: number): Promise<ClaimedDelivery[]> =>
    noting(async (noted) => {
      const claimed = await store.claim(owner, id, { limit, which }, noted)
      // If none was given, none is left, except those that come back with this call.
      left[which] = claimed.length > 0 || which === 'tried' ? left[which] - claimed.length : 0
      return claimed
    })

  return {
    /** How many ends are not noted yet. */
    ended: () => ended.length,
    end: (result: DeliveryResult) => void ended.push(result),
    mayHaveMore: () => left.untried > 0 || isRetryTime(),

    /** Takes rows to be begun at once: those that were tried before go first, once they are due. */
    async claim(limit: number): Promise<ClaimedDelivery[]> {
      if (isRetryTime()) {
        const claimed = await ask('tried', limit)
        if (claimed.length > 0) return claimed
        triedFrom = Date.now() + retryPolicy.poll
      }
      return left.untried > 0 ? ask('untried', Math.min(limit, left.untried)) : []
    },

    /** Notes what has ended. @throws LockLost, StoreUnavailable */
    async note() {
      if (ended.length > 0) await noting((noted) => store.record(owner, id, noted))
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
  }
}
