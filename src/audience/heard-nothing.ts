import { setImmediate as turn } from 'node:timers/promises'
import { mayBeWrittenTo } from '../people/standing.ts'
import { batches } from '../shared/batches.ts'
import { type HeardNothing, silentBefore } from '../shared/heard-nothing.ts'
import type { Store } from '../store/store.ts'
import { temporaryDatabase } from '../store/temporary-database.ts'

const BATCH = 500

/**
 * Counts who may be written to, and has neither signed up nor got a letter for sixty days. Reads the
 * letters only where somebody has been on the list for as long, in bounded memory.
 *
 * @returns `undefined` where there are more letters than may be read every day. @throws
 *   StoreUnavailable
 */
export async function heardNothing(
  store: Pick<Store, 'list' | 'ledger'>,
  now: Date,
): Promise<HeardNothing> {
  const before = silentBefore(now)
  const db = temporaryDatabase(
    'CREATE TABLE people (email TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID',
  )
  try {
    const add = db.prepare('INSERT OR IGNORE INTO people VALUES (?, ?)')
    let isAny = false
    for await (const batch of batches(store.list.signedUpBefore(before), BATCH)) {
      for (const { email, subscribedAt, signedUpAt = subscribedAt, standing } of batch)
        if (mayBeWrittenTo(standing) && signedUpAt < before) {
          add.run(email, Math.max(subscribedAt.getTime(), signedUpAt.getTime()))
          isAny = true
        }
      await turn()
    }
    if (!isAny) return { people: 0, since: null }

    const hear = db.prepare('UPDATE people SET at = ? WHERE email = ? AND at < ?')
    for await (const batch of batches(store.ledger.toldSince(new Date(0)), BATCH)) {
      for (const { email, at } of batch)
        if (email !== undefined) hear.run(at.getTime(), email, at.getTime())
      await turn()
    }
    const found = db
      .prepare('SELECT count(*) AS people, min(at) AS since FROM people WHERE at < ?')
      .get(before.getTime())
    const since = found?.since
    return {
      people: Number(found?.people),
      since: typeof since === 'number' ? new Date(since).toISOString() : null,
    }
  } finally {
    db.close()
  }
}
