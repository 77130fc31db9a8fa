import type { DocumentReference, Transaction } from '@google-cloud/firestore'
import type { FirestoreConnection } from './connection.ts'
import { mustHold } from './lock.ts'
import type { FirestoreStandings } from './standings.ts'

export interface WhileOwner {
  /**
   * Does `work` in one transaction while `owner` holds the run lock.
   *
   * @param work gets the time by Google's clock. @throws LockLost, StoreUnavailable
   */
  owned<T>(owner: string, work: (transaction: Transaction, now: Date) => Promise<T>): Promise<T>
}

export function whileOwner(
  { transaction }: FirestoreConnection,
  runLock: DocumentReference,
  standings: FirestoreStandings,
): WhileOwner {
  return {
    async owned(owner, work) {
      await standings.bind()
      return transaction(async (t) => {
        // Read in the transaction, so that no other run takes the lock before it ends.
        const lock = await t.get(runLock)
        mustHold(lock, owner)
        return work(t, lock.readTime.toDate())
      })
    },
  }
}
