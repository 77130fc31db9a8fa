import { isProbeAddress } from '../shared/probe-address.ts'
import type { Subscriber } from '../shared/subscriber.ts'
import { memoryNotices } from './memory-notices.ts'
import type { Notices } from './notices.ts'
import { StoreUnavailable, type SubscriberStore } from './subscriber-store.ts'

/** Keeps subscribers for as long as the process lives: for tests of what stands above a store. */
export function memoryStore(): SubscriberStore & Notices {
  const subscribers = new Map<string, Subscriber>()
  const suspects = new Set<string>()
  let closed = false

  function checkOpen() {
    if (closed) throw new StoreUnavailable('The store is closed.')
  }

  const people = () =>
    [...subscribers.values()].map((one) => ({ ...one, isQuarantined: suspects.has(one.email) }))

  return {
    ...memoryNotices(people),

    async add(email, notes) {
      checkOpen()
      if (isProbeAddress(email)) return
      if (notes?.suspicion === undefined) suspects.delete(email)
      else if (!subscribers.has(email)) suspects.add(email)
      if (!subscribers.has(email)) subscribers.set(email, { email, subscribedAt: new Date() })
    },
    async find(email) {
      checkOpen()
      return subscribers.get(email)
    },
    async count() {
      checkOpen()
      return subscribers.size
    },
    async checkWritable() {
      checkOpen()
    },
    async close() {
      closed = true
    },
  }
}
