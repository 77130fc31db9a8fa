import { StoreUnavailable } from '../subscriber-store.ts'

/** Another process has locked the file for a moment; it can be tried again. */
export class DatabaseLocked extends StoreUnavailable {}

/** The file is being migrated to this version; `end` resolves when that has succeeded or failed. */
export class BeingBroughtUp extends StoreUnavailable {
  readonly end: Promise<void>
  constructor(message: string, end: Promise<void>) {
    super(message)
    this.end = end
  }
}

/** How long to retry on a locked file. */
export interface LockRetry {
  /** How long to wait for a lock; two seconds by default. */
  readonly forMs?: number
  /** Whether to wait for a migration, which may take many seconds. */
  readonly untilBroughtUp?: boolean
}

const RETRY_FOR_MS = 2000
const RETRY_EVERY_MS = 5

/** Tries until it succeeds or the policy's time is up, without blocking the event loop. */
export async function retry<T>(
  attempt: () => T | Promise<T>,
  { forMs = RETRY_FOR_MS, untilBroughtUp = true }: LockRetry = {},
): Promise<T> {
  const giveUpAt = performance.now() + forMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof BeingBroughtUp && untilBroughtUp) await error.end
      else if (error instanceof DatabaseLocked && performance.now() < giveUpAt)
        await new Promise((resolve) => setTimeout(resolve, RETRY_EVERY_MS))
      else throw error
    }
  }
}
