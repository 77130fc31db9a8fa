import { StoreUnavailable } from '../subscriber-store.ts'

/** Size at which a group is committed without waiting for more. */
const ENOUGH = 256

interface Waiting<T, R> {
  readonly item: T
  readonly resolve: (result: R) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Group commit: items that arrive together are committed together, since a disk syncs a group as
 * fast as a single item. While a group is being committed, the next one collects items.
 *
 * @param commit takes a whole group, and resolves when all of it is on disk.
 */
export function groupCommit<T, R = void>(commit: (items: T[]) => Promise<R>) {
  let waiting: Waiting<T, R>[] = []
  let isBusy = false
  let closed = false
  let whenEmpty = () => {}

  function begin() {
    isBusy = true
    // After the event loop's poll phase, so that every request it brought is in the group.
    setImmediate(commitWhenQuiet, 0)
  }

  // While each turn of the event loop brings more items, the group is not complete.
  function commitWhenQuiet(before: number) {
    if (waiting.length === before || waiting.length >= ENOUGH) void commitGroup()
    else setImmediate(commitWhenQuiet, waiting.length)
  }

  async function commitGroup() {
    const group = waiting
    waiting = []
    try {
      const result = await commit(group.map(({ item }) => item))
      for (const { resolve } of group) resolve(result)
    } catch (reason) {
      for (const { reject } of group) reject(reason)
    }
    isBusy = false
    if (waiting.length > 0) begin()
    else whenEmpty()
  }

  return {
    /** Resolves once the item is committed, with what `commit` gave. @throws what it threw for the group. */
    add(item: T): Promise<R> {
      if (closed) return Promise.reject(new StoreUnavailable('The store is closed.'))
      if (!isBusy) begin()
      return new Promise((resolve, reject) => waiting.push({ item, resolve, reject }))
    },

    /** Waits until all items are committed or failed; refuses later ones. */
    async close() {
      closed = true
      if (isBusy)
        await new Promise<void>((resolve) => {
          whenEmpty = resolve
        })
    },
  }
}
