import { isProbeAddress } from '../shared/probe-address.ts'
import type { Subscriber } from '../shared/subscriber.ts'
import { StoreUnavailable, type SubscriberStore } from './subscriber-store.ts'

/** Keeps subscribers for as long as the process lives: for tests of what stands above a store. */
export function memoryStore(): SubscriberStore {
  const subscribers = new Map<string, Subscriber>()
  let closed = false

  function checkOpen() {
    if (closed) throw new StoreUnavailable('The store is closed.')
  }

  return {
    async add(email) {
      checkOpen()
      if (!subscribers.has(email) && !isProbeAddress(email))
        subscribers.set(email, { email, subscribedAt: new Date() })
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
