import type { AddressIds } from '../../keys/address-id.ts'
import { LockLost } from '../run-lock.ts'
import { writeBound } from './bound.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { holdsLock } from './lock.ts'

export interface WhileOwner {
  /**
   * Does `work` in one transaction while `owner` holds the run lock.
   *
   * @param work gets the time, as it is stored.
   * @param always is done before, in the same transaction, even without the lock.
   * @throws LockLost, StoreUnavailable
   */
  writeOwned<T>(
    owner: string,
    work: (sql: Sql, now: string) => T,
    always?: (sql: Sql) => void,
  ): Promise<T>
}

export function whileOwner(database: SqliteDatabase, addressIds: AddressIds): WhileOwner {
  return {
    async writeOwned(owner, work, always = () => {}) {
      const done = await writeBound(database, addressIds, (sql) => {
        always(sql)
        const now = new Date().toISOString()
        return holdsLock(sql, owner, now) ? { result: work(sql, now) } : undefined
      })
      if (!done) throw new LockLost('Another run has the lock.')
      return done.result
    },
  }
}
