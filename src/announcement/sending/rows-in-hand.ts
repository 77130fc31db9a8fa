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
export class Hand {
  readonly #options: HandOptions
  /** How many rows may be taken, as far as it is known. */
  readonly #left: Record<ClaimWanted['which'], number>
  /** From this time on, rows that were tried before may be due. */
  #triedFrom = 0
  #ended: DeliveryResult[] = []

  constructor(options: HandOptions) {
    this.#options = options
    this.#left = { untried: options.untried, tried: options.tried }
  }

  /** How many ends are not noted yet. */
  ended() {
    return this.#ended.length
  }

  end(result: DeliveryResult) {
    this.#ended.push(result)
  }

  mayHaveMore() {
    return this.#left.untried > 0 || this.#isRetryTime()
  }

  /** Takes rows to be begun at once: those that were tried before go first, once they are due. */
  async claim(limit: number): Promise<ClaimedDelivery[]> {
    if (this.#isRetryTime()) {
      const claimed = await this.#ask('tried', limit)
      if (claimed.length > 0) return claimed
      this.#triedFrom = Date.now() + this.#options.retryPolicy.poll
    }
    const { untried } = this.#left
    return untried > 0 ? this.#ask('untried', Math.min(limit, untried)) : []
  }

  /** Notes what has ended. @throws LockLost, StoreUnavailable */
  async note() {
    const { store, owner, id } = this.#options
    if (this.#ended.length > 0) await this.#noting((noted) => store.record(owner, id, noted))
  }

  /** When a row that was tried before is due; `undefined` when no row is left. */
  async nextRetry() {
    const { store, id, onWait } = this.#options
    const due = await this.#retried(() => store.nextRetry(id))
    if (due) {
      this.#left.tried = Math.max(1, this.#left.tried)
      this.#triedFrom = due.getTime()
      onWait({ code: 'retry', people: this.#left.tried })
    }
    return due
  }

  #isRetryTime() {
    return this.#left.tried > 0 && Date.now() >= this.#triedFrom
  }

  #ask(which: ClaimWanted['which'], limit: number): Promise<ClaimedDelivery[]> {
    const { store, owner, id } = this.#options
    const left = this.#left
    return this.#noting(async (noted) => {
      const claimed = await store.claim(owner, id, { limit, which }, noted)
      // If none was given, none is left, except those that come back with this call.
      left[which] = claimed.length > 0 || which === 'tried' ? left[which] - claimed.length : 0
      return claimed
    })
  }

  /** Notes what has ended together with another call to the ledger. */
  async #noting<T>(work: (noted: readonly DeliveryResult[]) => Promise<T>): Promise<T> {
    const noted = this.#ended
    this.#ended = []
    try {
      const done = await this.#retried(() => work(noted))
      for (const { status, tries } of noted)
        if (status === 'returned') this.#left[tries > 1 ? 'tried' : 'untried'] += 1
        else {
          if (status === 'queued') this.#left.tried += 1
          this.#options.onResult(status)
        }
      return done
    } catch (error) {
      // Noting it twice changes nothing.
      this.#ended = [...noted, ...this.#ended]
      throw error
    }
  }

  /** Waits for the ledger for a bounded time, since results must be noted. */
  async #retried<T>(work: () => Promise<T>): Promise<T> {
    const { retryPolicy, onWait } = this.#options
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
}
