import { expect, it } from 'vitest'
import { isLocked, isOutage } from '../../../src/store/sqlite/outage.ts'

const sqliteError = (errcode: number) =>
  Object.assign(new Error('SQLite says no'), { code: 'ERR_SQLITE_ERROR', errcode })
const systemError = (code: string) => Object.assign(new Error(code), { code, syscall: 'open' })

it.for([
  ...[3, 5, 6, 7, 8, 10, 11, 13, 14, 15, 17, 22, 26],
  // SQLITE_IOERR_FSYNC, SQLITE_BUSY_SNAPSHOT, SQLITE_READONLY_DBMOVED: the low byte says what it is.
  ...[1034, 517, 1032],
])("SQLite's code %i is an outage", (code) => {
  expect(isOutage(sqliteError(code))).toBe(true)
})

it.for([1, 2, 4, 9, 12, 16, 18, 19, 20, 21, 23, 24, 25, 27, 28])(
  "SQLite's code %i is a fault of ours",
  (code) => {
    expect(isOutage(sqliteError(code))).toBe(false)
  },
)

it('what the file system answers is an outage, and a wrong call of ours is a fault', () => {
  for (const code of ['ENOENT', 'EACCES', 'EROFS', 'ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ESTALE'])
    expect(isOutage(systemError(code)), code).toBe(true)
  for (const code of ['EBADF', 'EINVAL', 'ERR_INVALID_ARG_TYPE', 'ERR_INVALID_STATE'])
    expect(isOutage(systemError(code)), code).toBe(false)
  for (const thrown of [new TypeError('ours'), new Error('ours'), 'ours', undefined, null])
    expect(isOutage(thrown)).toBe(false)
})

it('a lock of another connection is told from the other outages', () => {
  for (const code of [5, 6, 261, 517]) expect(isLocked(sqliteError(code))).toBe(true)
  for (const code of [1, 8, 10, 14]) expect(isLocked(sqliteError(code))).toBe(false)
  expect(isLocked(new Error('ours'))).toBe(false)
})
