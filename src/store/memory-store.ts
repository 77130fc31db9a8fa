import type { Subscriber } from '../shared/subscriber.ts'
import type { SubscriberStore } from './subscriber-store.ts'

/** Keeps subscribers for as long as the process lives: for tests of what stands above a store. */
export function memoryStore(): SubscriberStore {
  const subscribers = new Map<string, Subscriber>()
  return {
    async add(email) {
      if (!subscribers.has(email)) subscribers.set(email, { email, subscribedAt: new Date() })
    },
    async find(email) {
      return subscribers.get(email)
    },
    async count() {
      return subscribers.size
    },
    async checkWritable() {},
    async close() {},
  }
}
