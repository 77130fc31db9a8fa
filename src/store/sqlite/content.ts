import { whyNotMailed } from '../../people/person.ts'
import { personIn, personText, unreadable } from '../../people/stored.ts'
import type { Content } from '../backups.ts'
import { type Prepare, partsIn, partsOf, sumOf } from './content-parts.ts'

/** Reads the whole list once, in constant memory; in one transaction, if others write. */
export function contentOf(prepare: Prepare): Content {
  const standings: Record<string, number> = {}
  const { digest } = sumOf(prepare('SELECT id, data FROM persons'), ([id, data]) => {
    const person = personIn(data)
    if (person === unreadable) return undefined
    const { standing } = whyNotMailed(person) ?? {}
    if (standing) standings[standing] = (standings[standing] ?? 0) + 1
    return [id, personText(person)]
  })
  const subscribers = Number(prepare('SELECT count(*) AS n FROM documents').get()?.n)
  return { subscribers, standings, digest, parts: partsOf(prepare) }
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
