import { FieldValue, Firestore } from '@google-cloud/firestore'
import { subscribersPath } from '../../../src/shared/subscriber.ts'

const BATCH = 500
const AT_ONCE = 4

/** What the operator's credentials can do to an emulator, faster than any browser. */
export function floodgate(
  origin: string,
  projectId: string,
  appId: string,
  path = subscribersPath,
) {
  process.env.FIRESTORE_EMULATOR_HOST = new URL(origin).host
  const db = new Firestore({ projectId })
  const records = db.collection(path(appId).slice(1))
  return {
    db,
    records,
    /** Signs addresses up, each at an id of its own, with the server's time or one in the past. */
    async signUp(count: number, emailOf: (n: number) => string, at?: (n: number) => Date) {
      let next = 0
      const some = async () => {
        while (next < count) {
          const from = next
          next += BATCH
          const batch = db.batch()
          for (let n = from; n < Math.min(count, from + BATCH); n += 1) {
            const subscribedAt = at?.(n) ?? FieldValue.serverTimestamp()
            batch.create(records.doc(), { email: emailOf(n), subscribedAt })
          }
          await batch.commit()
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, some))
    },
    close: () => db.terminate(),
  }
}
