import { StoreUnavailable } from '../subscriber-store.ts'

/** Somebody else holds the database for a moment: worth another try. */
export class DatabaseLocked extends StoreUnavailable {}

const RETRY_FOR_MS = 2000
const RETRY_EVERY_MS = 20
/** So many are worth a sync of their own, and keep nobody waiting for more. */
const ENOUGH = 256

export interface GroupCommit<T> {
  /** Resolves once the item is committed. @throws what `commit` threw for the group it was in. */
  add(item: T): Promise<void>
  /** Lets what is waiting end, one way or the other; refuses what comes later. */
  close(): Promise<void>
}

interface Waiting<T> {
  readonly item: T
  readonly giveUpAt: number
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

/**
 * Commits together what arrives together: a disk syncs a group as fast as a single item.
 *
 * @param commit takes a whole group at once, synchronously; while it throws `DatabaseLocked` the
 *   group is tried again, without blocking anybody, until each item has waited for two seconds.
 */
export function groupCommit<T>(commit: (items: T[]) => void): GroupCommit<T> {
  let waiting: Waiting<T>[] = []
  let scheduled = false
  let closed = false
  let whenEmpty = () => {}

  // As long as each turn of the event loop brings more, one sync will do for all of them.
  function commitWhenQuiet(before: number) {
    if (waiting.length === before || waiting.length >= ENOUGH) commitGroup()
    else setImmediate(commitWhenQuiet, waiting.length)
  }

  function commitGroup() {
    const group = waiting
    waiting = []
    scheduled = false
    try {
      commit(group.map((one) => one.item))
      for (const one of group) one.resolve()
    } catch (reason) {
      if (reason instanceof DatabaseLocked) keepForLater(group, reason)
      else for (const one of group) one.reject(reason)
    }
    if (waiting.length === 0) whenEmpty()
  }

  function keepForLater(group: Waiting<T>[], reason: DatabaseLocked) {
    const now = performance.now()
    for (const one of group) {
      if (one.giveUpAt <= now) one.reject(reason)
      else waiting.push(one)
    }
    if (waiting.length === 0) return
    scheduled = true
    setTimeout(commitGroup, RETRY_EVERY_MS)
  }

  return {
    add(item) {
      if (closed) return Promise.reject(new StoreUnavailable('The store is closed.'))
      // After the event loop's poll phase, so that every request it brought is in the group.
      if (!scheduled) setImmediate(commitWhenQuiet, 0)
      scheduled = true
      const giveUpAt = performance.now() + RETRY_FOR_MS
      return new Promise((resolve, reject) => waiting.push({ item, giveUpAt, resolve, reject }))
    },

    async close() {
      closed = true
      if (scheduled)
        await new Promise<void>((resolve) => {
          whenEmpty = resolve
        })
    },
  }
}
