import { type LockHolder, LockLost, type RunLock } from '../run-lock.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'

export function sqliteLock(database: SqliteDatabase): RunLock {
  return {
    acquire: (holder, leaseMs, insteadOf) =>
      database.write((sql) => {
        const { owner, host, pid } = holder
        const held = heldBy(sql)
        if (held && held.owner !== insteadOf) return held
        sql(
          'INSERT OR REPLACE INTO runLock (only, owner, host, pid, until) VALUES (1, ?, ?, ?, ?)',
        ).run(owner, host, pid, now(leaseMs))
        return holder
      }),

    holder: () => database.read(heldBy),

    isAbandoned: (before) =>
      database.read((sql) => {
        const left = sql('SELECT 1 FROM runLock WHERE until <= ? AND until <= ?')
        return left.get(before.toISOString(), now()) !== undefined
      }),

    async renew(owner, leaseMs) {
      const { changes } = await database.write((sql) =>
        sql('UPDATE runLock SET until = ? WHERE owner = ? AND until > ?').run(
          now(leaseMs),
          owner,
          now(),
        ),
      )
      if (changes === 0) throw new LockLost('Another run has the lock.')
    },

    async release(owner) {
      await database.write((sql) => sql('DELETE FROM runLock WHERE owner = ?').run(owner))
    },
  }
}

function heldBy(sql: Sql): LockHolder | undefined {
  const held = sql('SELECT owner, host, pid FROM runLock WHERE until > ?').get(now())
  return held && { owner: String(held.owner), host: String(held.host), pid: Number(held.pid) }
}

export function holdsLock(sql: Sql, owner: string, at: string): boolean {
  return sql('SELECT 1 FROM runLock WHERE owner = ? AND until > ?').get(owner, at) !== undefined
}

function now(laterMs = 0): string {
  return new Date(Date.now() + laterMs).toISOString()
}
