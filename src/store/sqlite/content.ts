import { createHash } from 'node:crypto'
import type { StatementSync } from 'node:sqlite'
import type { Content } from '../backups.ts'
import { type Prepare, partsIn, partsOf } from './content-parts.ts'

/** Reads the whole list once, in constant memory; in one transaction, if others write. */
export function contentOf(prepare: Prepare): Content {
  const digest = createHash('sha256')
  const subscribers = digestRows(
    digest,
    prepare(`
      SELECT data ->> 'email', data ->> 'subscribedAt' FROM documents ORDER BY data ->> 'email'`),
  )
  digest.update('\0')
  digestRows(digest, prepare('SELECT addressId, standing, at FROM standings ORDER BY addressId'))
  const counts = prepare(
    'SELECT standing, count(*) AS n FROM standings GROUP BY 1 ORDER BY 1',
  ).all()
  const standings = Object.fromEntries(
    counts.map(({ standing, n }) => [String(standing), Number(n)]),
  )
  return { subscribers, standings, digest: digest.digest('hex'), parts: partsOf(prepare) }
}

/** @returns how many there are. */
function digestRows(digest: ReturnType<typeof createHash>, statement: StatementSync): number {
  statement.setReturnArrays(true)
  let count = 0
  for (const row of statement.iterate() as Iterable<unknown> as Iterable<string[]>) {
    // JSON, so that no value can look like the end of another.
    digest.update(JSON.stringify(row))
    count += 1
  }
  return count
}

/** Reads stored content. @returns `undefined` for anything that `contentOf` does not give. */
export function contentIn(value: unknown): Content | undefined {
  try {
    const { subscribers, standings, digest, parts: kept } = JSON.parse(String(value))
    const counts = Object.entries(Object(standings))
    const isContent =
      [subscribers, ...counts.map(([, count]) => count)].every(Number.isSafeInteger) &&
      /^[0-9a-f]{64}$/.test(digest)
    const known = counts.map(([name, count]) => [name, Number(count)] as const)
    if (!isContent) return undefined
    const parts = partsIn(kept)
    return parts && { subscribers, standings: Object.fromEntries(known), digest, parts }
  } catch {
    return undefined
  }
}
