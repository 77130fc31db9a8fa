import type { DatabaseSync } from 'node:sqlite'
import { storedTime } from '../../shared/stored-time.ts'
import { CopyFromLater } from '../subscriber-store.ts'

/** How far the clock of the machine that made a copy may be ahead of ours. */
const CLOCKS_DIFFER_MS = 5 * 60_000

/** Refuses a copy from the future: it could bring back people who left. @throws CopyFromLater */
export function refuseLater(file: string, madeAt: Date | undefined): void {
  if (!madeAt || Number(madeAt) <= Date.now() + CLOCKS_DIFFER_MS) return
  throw new CopyFromLater(
    `${file} was made at ${madeAt.toISOString()}, and this machine's clock says ${new Date().toISOString()}. Set the clock right.`,
  )
}

/** The latest time in a copy, for one that does not say when it was made. */
export function latestTimeIn(db: DatabaseSync): Date | undefined {
  const now = new Date()
  let latest: Date | undefined
  const all = db.prepare(`
    SELECT data FROM documents UNION ALL SELECT data FROM persons
    UNION ALL SELECT json_array(changedAt) FROM deliveries`)
  for (const { data } of all.iterate())
    for (const [text] of String(data).matchAll(/\d{4}-\d\d-\d\dT[\d:.]{12}Z/g)) {
      const time = storedTime(text)
      if (time && time > (latest ?? now)) latest = time
    }
  return latest
}
