import { setImmediate as turn } from 'node:timers/promises'
import { MOST_COUNTED } from '../people.ts'

/** How many candidates are checked at once. */
const AT_ONCE = 250
/** After this time, the event loop has its turn. */
const TURN_MS = 15
/** How long counting goes on once the page is full. */
const COUNTING_MS = 60

export interface Taken<T> {
  readonly taken: readonly T[]
  readonly found: number
  readonly isMore: boolean
}

/**
 * Takes the first of many, and counts the others as long as that is cheap.
 *
 * @param look filters some candidates.
 * @param most the largest possible number of results, if it is known.
 */
export async function takePage<From, T>(
  candidates: Iterable<From>,
  look: (some: readonly From[]) => Promise<readonly T[]>,
  { limit, most = Number.POSITIVE_INFINITY }: { limit: number; most?: number | undefined },
  signal: AbortSignal | undefined,
): Promise<Taken<T>> {
  const taken: T[] = []
  let found = 0
  let [turned, fullSince] = [performance.now(), Number.POSITIVE_INFINITY]
  for (const some of pieces(candidates)) {
    const wanted = await look(some)
    found += wanted.length
    taken.push(...wanted.slice(0, limit - taken.length))
    const now = performance.now()
    if (taken.length === limit) fullSince = Math.min(fullSince, now)
    if (found >= most) break
    if (found > MOST_COUNTED || now - fullSince > COUNTING_MS)
      return { taken, found: Math.min(found, MOST_COUNTED), isMore: true }
    if (now - turned < TURN_MS) continue
    await turn()
    signal?.throwIfAborted()
    turned = performance.now()
  }
  return { taken, found, isMore: false }
}

function* pieces<T>(all: Iterable<T>): Iterable<readonly T[]> {
  let piece: T[] = []
  for (const one of all) {
    piece.push(one)
    if (piece.length < AT_ONCE) continue
    yield piece
    piece = []
  }
  if (piece.length > 0) yield piece
}
