import { StoreUnavailable } from '../subscriber-store.ts'
import codes from './outage-codes.json' with { type: 'json' }

/*
 * An outage: the machine refuses to read or write, and that may pass. Every other error, such as
 * wrong SQL or a TypeError, is a fault of ours and must not look like an outage.
 *
 * The codes are SQLite's primary result codes, https://www.sqlite.org/rescode.html, and errors of a
 * file system, local or over a network: errno(3), and libuv's names for those of Windows,
 * https://docs.libuv.org/en/v1.x/errors.html. EBADF, EFAULT and EINVAL are mistakes of the caller.
 */

const { BUSY, LOCKED } = codes.sqlite

export function isOutage(cause: unknown): boolean {
  const code = primaryCode(cause)
  return code === undefined ? isSystemError(cause) : Object.values(codes.sqlite).includes(code)
}

/** Whether another connection has the file for a moment. */
export function isLocked(cause: unknown): boolean {
  const code = primaryCode(cause)
  return code === BUSY || code === LOCKED
}

/**
 * Whether the file is to blame and not this program, for a file that anybody may have made: each of
 * SQLite's codes is then about its content.
 */
export function isOfTheFile(cause: unknown): boolean {
  return primaryCode(cause) !== undefined || isSystemError(cause)
}

/** The low byte of SQLite's code; the rest says which kind of it. */
function primaryCode(cause: unknown): number | undefined {
  const { code, errcode } = Object(cause) as { code?: unknown; errcode?: number }
  return code === 'ERR_SQLITE_ERROR' ? Number(errcode) & 0xff : undefined
}

const isSystemError = (cause: unknown) => codes.system.includes(Object(cause).code)

/** Another process has locked the file for a moment; it can be tried again. */
export class DatabaseLocked extends StoreUnavailable {}

const RETRY_FOR_MS = 2000
const RETRY_EVERY_MS = 5

/**
 * Tries until the file is no longer locked or the time is up, without blocking the event loop.
 *
 * @param forMs how long to wait for a lock.
 */
export async function retry<T>(
  attempt: () => T | Promise<T>,
  forMs: number = RETRY_FOR_MS,
): Promise<T> {
  const giveUpAt = performance.now() + forMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof DatabaseLocked && performance.now() < giveUpAt)) throw error
      await new Promise((resolve) => setTimeout(resolve, RETRY_EVERY_MS))
    }
  }
}
