import { setTimeout as sleep } from 'node:timers/promises'
import type {
  ClaimedDelivery,
  ClaimWanted,
  DeliveryLedger,
  DeliveryResult,
  DeliveryStatus,
} from '../../store/delivery-ledger.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import type { RetryPolicy } from './retry-policy.ts'

/** A row that waits longer than this for its turn goes back: its recipient may have left by then. */
const FRESH_MS = 3_000

/** What is waited for: the store, or that those who were put off may be tried again. */
export type Waits =
  | { readonly code: 'store'; readonly answer: string }
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

/** What a run has claimed and not begun, and what ended and is not noted. One call at a time. */
export interface Hand {
  readonly size: number
  /** Whether the ledger is being asked or told something. */
  readonly isBusy: boolean
  /** How many have ended that the ledger has not been told of. */
  readonly ended: number
  /** Gives rows that may be begun now, at most so many. @throws what the ledger threw meanwhile */
  take(most: number): ClaimedDelivery[]
  end(result: DeliveryResult): void
  /**
   * Begins to tell the ledger what ended, and to claim what will be needed.
   *
   * @param open how many more could be begun now. @param room how many more may be `sending`.
   */
  turn(open: number, room: number): void
  /** When a row is due that was tried before; `undefined` when nothing is left that may be taken. */
  nextRetry(): Promise<Date | undefined>
  /** Gives back what was not begun, and has noted what ended. @throws LockLost, StoreUnavailable */
  empty(): Promise<void>
}

export function hand(options: HandOptions): Hand {
  const { store, owner, id, retryPolicy, onResult, onWait, onAnswer } = options
  const left = { untried: options.untried, tried: options.tried }
  let held: { readonly delivery: ClaimedDelivery; readonly since: number }[] = []
  let results: DeliveryResult[] = []
  let busy: Promise<void> | undefined
  let broken: { readonly error: unknown } | undefined
  /** How many rows leave while a claim is waited for. */
  let ahead = 0
  /** How many have left since the last claim was begun, and whether that is still to be learned from. */
  let taken = 0
  let isNews = false
  /** From when on a look for rows that were tried before is worth its while. */
  let triedFrom = 0

  /** Waits for the ledger as long as is reasonable: what was sent must be noted. */
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

  /** Has what ended noted by what is done in the ledger anyway. */
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
      // Where none was given, none is left but what comes back with this very call.
      left[which] = claimed.length > 0 || which === 'tried' ? left[which] - claimed.length : 0
      return claimed
    })
  }

  async function claim(limit: number): Promise<void> {
    isNews = true
    taken = 0
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
      const { addressId, tries, dueAt } = delivery
      results.push({ addressId, tries, dueAt, status: 'returned' })
    }
  }

  return {
    get size() {
      return held.length
    },
    get isBusy() {
      return busy !== undefined
    },
    get ended() {
      return results.length
    },

    take(most) {
      if (broken) throw broken.error
      const freshFrom = Date.now() - FRESH_MS
      giveBack(held.filter(({ since }) => since < freshFrom))
      held = held.filter(({ since }) => since >= freshFrom)
      const given = held.splice(0, most)
      taken += given.length
      return given.map(({ delivery }) => delivery)
    },

    end: (result) => results.push(result),

    turn(open, room) {
      if (busy) return
      // As many as could have been begun while a claim was waited for will be wanted again.
      if (isNews) ahead = Math.min(store.claiming.ahead, Math.max(taken + open, ahead - 1))
      isNews = false
      // One claim's worth to live on while the next is waited for.
      const wanted = Math.min(room, open + 2 * ahead - held.length)
      const isTime = held.length <= ahead || results.length > 0
      if (isTime && wanted > 0 && (left.untried > 0 || isRetryTime())) start(claim(wanted))
      else if (results.length > 0) start(note())
    },

    async nextRetry() {
      const due = await retried(() => store.nextRetry(id))
      if (due) {
        left.tried = Math.max(1, left.tried)
        triedFrom = due.getTime()
        onWait({ code: 'retry', people: left.tried })
      }
      return due
    },

    async empty() {
      await busy
      giveBack(held)
      held = []
      if (results.length > 0) await note()
      if (broken) throw broken.error
    },
  }
}
