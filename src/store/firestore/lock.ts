import {
  type DocumentReference,
  type DocumentSnapshot,
  Timestamp,
  type WriteResult,
} from '@google-cloud/firestore'
import { type LockHolder, LockLost, type RunLock } from '../run-lock.ts'
import type { FirestoreConnection } from './connection.ts'
import { grpc } from './outage.ts'
import { timeIn } from './stored-time.ts'

/** The run lock is a document. Its times are set and compared by Google's clock alone. */
export function firestoreLock({ use }: FirestoreConnection, ref: DocumentReference): RunLock {
  /** Reads and changes the lock; retries when another process changed it in between. */
  async function change<T>(decide: (lock: DocumentSnapshot) => Decision<T>): Promise<T> {
    for (;;) {
      const { result, write } = decide(await use(() => ref.get()))
      if (!write) return result
      const done = await use(() => write().then(() => true, notInTime))
      if (done) return result
    }
  }

  const put = (lock: DocumentSnapshot, { owner, host, pid }: LockHolder, leaseMs: number) => {
    const until = Timestamp.fromMillis(lock.readTime.toMillis() + leaseMs)
    const fields = { owner, host, pid, until }
    return () => (lock.exists ? ref.update(fields, unchanged(lock)) : ref.create(fields))
  }

  return {
    acquire: (holder, leaseMs, insteadOf) =>
      change((lock) => {
        const held = holderOf(lock)
        return held && held.owner !== insteadOf
          ? { result: held }
          : { result: holder, write: put(lock, holder, leaseMs) }
      }),

    holder: async () => holderOf(await use(() => ref.get())),

    async isAbandoned(before) {
      const lock = await use(() => ref.get())
      return lock.exists && !holderOf(lock) && timeIn(lock.get('until')) <= before
    },

    renew: (owner, leaseMs) =>
      change((lock) => {
        const held = mustHold(lock, owner)
        return { result: undefined, write: put(lock, held, leaseMs) }
      }),

    release: (owner) =>
      change((lock) =>
        lock.get('owner') === owner
          ? { result: undefined, write: () => ref.delete(unchanged(lock)) }
          : { result: undefined },
      ),
  }
}

interface Decision<T> {
  readonly result: T
  readonly write?: () => Promise<WriteResult>
}

/** @returns the holder of the lock when it was read. */
function holderOf(lock: DocumentSnapshot): LockHolder | undefined {
  const { owner, host, pid, until } = lock.data() ?? {}
  return until > lock.readTime ? { owner, host, pid } : undefined
}

/** @throws LockLost unless this owner holds it, until the end of the transaction that read it. */
export function mustHold(lock: DocumentSnapshot, owner: string): LockHolder {
  const held = holderOf(lock)
  if (held?.owner !== owner) throw new LockLost('Another run has the lock.')
  return held
}

function unchanged(lock: DocumentSnapshot) {
  return lock.updateTime ? { lastUpdateTime: lock.updateTime } : {}
}

function notInTime(error: { code?: number }): false {
  if ([grpc.notFound, grpc.alreadyExists, grpc.failedPrecondition].includes(error.code ?? 0))
    return false
  throw error
}
