import type { DatabaseSync } from 'node:sqlite'
import { afterYeses } from '../../people/changes.ts'
import { personIn, unreadable } from '../../people/stored.ts'
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
  const note = (time: Date | undefined) => {
    if (time && time > (latest ?? now)) latest = time
  }
  const times = db.prepare(`
    SELECT iif(json_valid(data), data ->> 'subscribedAt', NULL) AS at FROM documents
    UNION ALL SELECT changedAt FROM deliveries`)
  for (const { at } of times.iterate()) note(storedTime(at))
  // Their other fields may have any time, such as when a plan of theirs ends.
  for (const { data } of db.prepare('SELECT data FROM persons').iterate()) {
    const person = personIn(data)
    if (person !== unreadable)
      for (const at of [afterYeses(person, now), person.forgottenAt]) note(at)
  }
  return latest
}
