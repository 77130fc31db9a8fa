import { hash } from 'node:crypto'
import type { StatementSync } from 'node:sqlite'
import { queueIn } from '../../people/event-queue.ts'
import { shownFrom } from '../../people/pending.ts'
import { languageCode } from '../../shared/language-code.ts'
import type { ContentPart, ContentParts } from '../backups.ts'
import { openingIn } from '../opening.ts'
import { lineIn, RESTORED } from './copied-rows.ts'

/** Prepares a statement on the list or on a copy, of the newest version. */
export type Prepare = (text: string) => StatementSync

type Row = readonly unknown[]

interface Part {
  /** Rows as they are after a restore, in any order. */
  readonly sql: string
  /** Does the same for rows that hold JSON; `undefined` for a row without content. */
  readonly restored?: (row: Row) => Row | undefined
}

/**
 * All that a restore promises to bring back beside the list. What a restore changes is changed here
 * too, so that a list and its restored copy have the same content: open letters are `uncertain`,
 * runs are dropped, and so are the addresses of forgotten people.
 */
const parts: Readonly<Record<string, Part>> = {
  announcements: {
    sql: 'SELECT id, subject, digest, begunAt FROM announcements',
    restored: ([id, subject, ...others]) => [id, lineIn(subject), ...others],
  },
  deliveries: {
    sql: `
      SELECT announcement, iif(isGone, NULL, id),
        iif(isGone, 'forgotten', iif(isOpen, 'uncertain', status)),
        iif(isOpen, max(1, tries), tries), changedAt,
        iif(status = 'suppressed' AND NOT isGone, coalesce(standing, 'unsubscribed'), NULL),
        iif(isGone, NULL, iif(isOpen, '${RESTORED}', answer)), iif(isGone, NULL, language)
      FROM (
        SELECT deliveries.*, id, status = 'forgotten' OR id IS NULL AS isGone,
          status IN ('queued', 'sending') AS isOpen
        FROM deliveries LEFT JOIN persons USING (number)
        WHERE announcement IN (SELECT id FROM announcements)
      )`,
    restored: (row) => [...row.slice(0, -2), lineIn(row.at(-2)), languageCode(row.at(-1)) ?? null],
  },
  'invitation keys': { sql: 'SELECT publicKey, until FROM invitationKeys' },
  // These visitors are asked again after a restore.
  'letters to leave': {
    sql: 'SELECT email, shown FROM requests',
    restored: ([email, shown]) => [email, shownFrom(shown) ?? null],
  },
  // What other systems have yet to be told; how it went so far is not restored.
  'events to send': {
    sql: "SELECT id, data FROM queue WHERE kind = 'events'",
    restored: ([person, data]) => {
      const { email, events } = queueIn(data) ?? {}
      return events?.length ? [person, email ?? null, events] : undefined
    },
  },
  openings: {
    sql: "SELECT data FROM notes WHERE name = 'opening'",
    restored: ([data]) => {
      const opening = openingIn(data)
      return opening && [opening.url, opening.at, opening.zone, opening.openedAt]
    },
  },
}

/** Reads each of them once, in constant memory. */
export function partsOf(prepare: Prepare): ContentParts {
  return Object.fromEntries(
    Object.entries(parts).map(([name, { sql, restored = (row: Row) => row }]) => [
      name,
      sumOf(prepare(sql), restored),
    ]),
  )
}

const MASK = (1n << 256n) - 1n

/** The sum of the hashes of all rows: the same in any order, so that nothing is sorted. */
export function sumOf(
  statement: ReturnType<Prepare>,
  restored: (row: Row) => Row | undefined,
): ContentPart {
  statement.setReturnArrays(true)
  let [rows, sum] = [0, 0n]
  for (const found of statement.iterate() as Iterable<unknown> as Iterable<Row>) {
    const row = restored(found)
    if (!row) continue
    // JSON, so that no value can look like the end of another.
    sum = (sum + BigInt(`0x${hash('sha256', JSON.stringify(row))}`)) & MASK
    rows += 1
  }
  return { rows, digest: sum.toString(16).padStart(64, '0') }
}

/** Reads stored parts. @returns `undefined` for anything that `partsOf` does not give. */
export function partsIn(value: unknown): ContentParts | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const found = Object.entries(value).map(([name, part]) => [name, Object(part)] as const)
  const isWhole = found.every(
    ([, { rows, digest }]) => Number.isSafeInteger(rows) && /^[0-9a-f]{64}$/.test(String(digest)),
  )
  if (!isWhole) return undefined
  return Object.fromEntries(
    found.map(([name, { rows, digest }]) => [name, { rows: Number(rows), digest: String(digest) }]),
  )
}
