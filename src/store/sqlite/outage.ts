/*
 * An outage: the machine refuses to read or write, and that may pass. Every other error, such as
 * wrong SQL or a TypeError, is a fault of ours and must not look like an outage.
 */

/** SQLite's primary result codes: https://www.sqlite.org/rescode.html */
const resultCodes = {
  PERM: 3,
  BUSY: 5,
  LOCKED: 6,
  NOMEM: 7,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  PROTOCOL: 15,
  SCHEMA: 17,
  NOLFS: 22,
  NOTADB: 26,
}

const outageCodes: readonly number[] = Object.values(resultCodes)

/**
 * Errors of a file system, local or over a network: errno(3), and libuv's names for those of
 * Windows, https://docs.libuv.org/en/v1.x/errors.html. EBADF, EFAULT and EINVAL are mistakes of the
 * caller.
 */
const errnos: ReadonlySet<string | undefined> = new Set([
  ...['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG', 'EEXIST', 'ENOTEMPTY', 'EXDEV'],
  ...['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'ETXTBSY', 'EAGAIN', 'EINTR', 'ENOLCK', 'EDEADLK'],
  ...['ENOSPC', 'EDQUOT', 'EFBIG', 'EOVERFLOW', 'ENOMEM', 'EMFILE', 'ENFILE'],
  ...['EIO', 'ENXIO', 'ENODEV', 'ESTALE', 'EREMOTEIO', 'EHOSTDOWN', 'ENOTCONN', 'ETIMEDOUT'],
  'UNKNOWN',
])

export function isOutage(cause: unknown): boolean {
  if (isSqliteError(cause)) return outageCodes.includes(primaryCode(cause))
  return isSystemError(cause)
}

/** Whether another connection has the file for a moment. */
export function isLocked(cause: unknown): boolean {
  if (!isSqliteError(cause)) return false
  return [resultCodes.BUSY, resultCodes.LOCKED].includes(primaryCode(cause))
}

/**
 * Whether the file is to blame and not this program, for a file that anybody may have made: each of
 * SQLite's codes is then about its content.
 */
export function isOfTheFile(cause: unknown): boolean {
  return isSqliteError(cause) || isSystemError(cause)
}

interface SqliteError {
  readonly errcode: number
}

function isSqliteError(cause: unknown): cause is SqliteError {
  return (cause as NodeJS.ErrnoException | null)?.code === 'ERR_SQLITE_ERROR'
}

function isSystemError(cause: unknown): boolean {
  return errnos.has((cause as NodeJS.ErrnoException | null)?.code)
}

/** The low byte; the rest of a code says which kind it is. */
function primaryCode({ errcode }: SqliteError): number {
  return errcode & 0xff
}
