import type { QueryDocumentSnapshot } from '@google-cloud/firestore'
import { isProbeAddress } from '../../shared/probe-address.ts'
import type { UnreadableRow, UnreadableRows } from '../unreadable.ts'
import { rangeOf } from './address-scan.ts'
import type { FirestoreConnection } from './connection.ts'
import { rowsIn } from './pages.ts'
import type { FirestorePaths } from './paths.ts'
import { type FirestoreRecords, isSubscribers } from './records.ts'
import { EARLIEST, LATEST, timestampIn } from './stored-time.ts'
import { summarised } from './summary.ts'

export function firestoreUnreadable(
  connection: FirestoreConnection,
  paths: FirestorePaths,
  records: FirestoreRecords,
): UnreadableRows {
  const { use } = connection
  const { collection } = records

  return {
    async count() {
      let strange = 0
      for await (const { email, records: number } of summarised(connection, paths, records))
        if (!isPlain(email)) strange += number
      // Counted first, so that a sign-up meanwhile is not missing among those with a time.
      const all = (await use(() => collection.count().get())).data().count
      const timed = rangeOf(collection, { since: EARLIEST, before: LATEST })
      const whole = (await use(() => timed.count().get())).data().count
      return Math.max(0, all - whole) + strange
    },

    async *stream() {
      for await (const document of rowsIn(connection, collection)) {
        const why = whyUnreadable(document)
        if (why) yield { id: document.id, why }
      }
    },
  }
}

function whyUnreadable(document: QueryDocumentSnapshot): UnreadableRow['why'] | undefined {
  const email: unknown = document.get('email')
  if (typeof email !== 'string' || !isPlain(email)) return 'its e-mail is not an address'
  return timestampIn(document.get('subscribedAt')) ? undefined : 'its time is not a time'
}

/** A subscriber's address, or that of `check-site`. */
const isPlain = (email: string) => isSubscribers(email) || isProbeAddress(email)
