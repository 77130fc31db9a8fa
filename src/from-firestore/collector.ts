import type { Shown } from '../people/pending.ts'
import { isPast, pauseAfter } from '../store/inbox-rules.ts'
import { begin, claimed, tellNoes } from './claim.ts'
import {
  type CollectEnd,
  type CollectOptions,
  type CollectorOptions,
  known,
} from './collect-options.ts'
import { eraseThere } from './erase-there.ts'
import { judge } from './judge.ts'
import { takeInRequests } from './requests.ts'
import { compare, lookAndTake, lookToTheEnd, nextOf } from './take-in.ts'

export interface Collector {
  /** Checks that this list may take in, and refuses otherwise. @throws InboxTaken, StoreUnavailable */
  check(): Promise<void>
  /** Takes in all that is there, and compares the number. @throws InboxTaken, StoreUnavailable */
  toTheEnd(options?: CollectOptions): Promise<CollectEnd>
  /**
   * One look in the background. @returns how long to wait for the next, in milliseconds.
   * @throws InboxTaken, StoreUnavailable
   */
  look(options?: CollectOptions): Promise<number>
  /** Keeps noes at Google that are not there yet, and erases what was forgotten. */
  tell(): Promise<void>
  /**
   * Takes in requests to confirm. @param shown what visitors saw, as far as it is known.
   * @param keptSince older requests are only emptied.
   * @returns whether there may be more. @throws InboxTaken, StoreUnavailable
   */
  takeInRequests(shown: Shown, keptSince: Date): Promise<boolean>
}

const DAY_MS = 86_400_000

/** Takes documents of Firestore into the list. One at a time on a list, which the caller sees to. */
export function collector(options: CollectorOptions): Collector {
  const taking = { ...options, signs: judge(), requestSigns: judge() }

  async function tell() {
    await tellNoes(taking)
    if ((await taking.collecting.countErasures()) === 0) return
    await claimed(taking)
    await eraseThere(taking)
  }

  return {
    tell,

    async check() {
      await claimed(taking)
    },

    async toTheEnd(options = {}) {
      await begin(taking, options)
      const takenIn = await lookToTheEnd(taking, options)
      // Also the noes to documents that just came.
      await tell()
      return { takenIn, isStopped: options.signal?.aborted === true }
    },

    async look(options = {}) {
      await begin(taking, options)
      await lookAndTake(taking, await nextOf(taking, false, options), options)
      const { countedAt = 0 } = await known(taking)
      if (isPast(countedAt, DAY_MS, Date.now())) await compare(taking, options)
      await tell()
      return pauseAfter(await known(taking))
    },

    takeInRequests: (shown, keptSince) => takeInRequests(taking, shown, keptSince),
  }
}
