import { StoreUnavailable } from '../subscriber-store.ts'

/** Another process has locked the file for a moment; it can be tried again. */
export class DatabaseLocked extends StoreUnavailable {}

/** How long to retry on a locked file. */
export interface LockRetry {
  /** How long to wait for a lock; two seconds by default. */
  readonly forMs?: number
}

const RETRY_FOR_MS = 2000
const RETRY_EVERY_MS = 5

/** Tries until it succeeds or the policy's time is up, without blocking the event loop. */
export async function retry<T>(
  attempt: () => T | Promise<T>,
  { forMs = RETRY_FOR_MS }: LockRetry = {},
): Promise<T> {
  const giveUpAt = performance.now() + forMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof DatabaseLocked && performance.now() < giveUpAt)
        await new Promise((resolve) => setTimeout(resolve, RETRY_EVERY_MS))
      else throw error
    }
  }
}
