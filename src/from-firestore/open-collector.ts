import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type InboxOptions, openInbox } from '../store/open-store.ts'
import { holdAlone } from '../store/sole-holder.ts'
import type { Collecting } from '../store/store.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'
import { type Collector, collector } from './collector.ts'

export interface CollectorPlace extends InboxOptions {
  readonly collecting: Collecting
  /** The list's folder, where its processes take turns. */
  readonly dataDir: string
}

export interface OpenedCollector {
  readonly collect: Collector
  /**
   * Does something while no other process of this list takes in.
   *
   * @throws StoreUnavailable where another one does for longer than `waitMs`.
   */
  inTurn<T>(work: () => Promise<T>, waitMs?: number): Promise<T>
  close(): Promise<void>
}

/** The lock's file, in the list's folder. */
const COLLECT_LOCK = 'subscribers.collect.lock'
const LOOK_EVERY_MS = 250
const WAIT_MS = 60_000

/** Opens what visitors wrote, at its first use. @throws StoreUnavailable without Google's library. */
export async function openCollector(place: CollectorPlace): Promise<OpenedCollector> {
  const { collecting, dataDir, ...options } = place
  const inbox = await openInbox(options)
  const collect = collector({ inbox, collecting, machine: hostname() })
  const file = join(dataDir, COLLECT_LOCK)

  async function held(waitMs: number): Promise<() => void> {
    for (const until = performance.now() + waitMs; ; await sleep(LOOK_EVERY_MS)) {
      const release = holdAlone(file)
      if (release) return release
      if (performance.now() >= until)
        throw new StoreUnavailable('Another process takes in from Firestore at the moment.')
    }
  }

  return {
    collect,
    async inTurn(work, waitMs = WAIT_MS) {
      const release = await held(waitMs)
      try {
        return await work()
      } finally {
        release()
      }
    },
    close: inbox.close,
  }
}
