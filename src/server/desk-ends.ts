import type { FastifyBaseLogger } from 'fastify'
import { type DeskAccessState, withEnds } from '../store/desk-access.ts'
import type { DeskAccess } from '../store/store.ts'

const AGAIN_MS = 2000

/**
 * Ended sessions and links that could not be written, as on a full disk: this process enforces them
 * from now on, and writes them as soon as it can.
 */
export function unwrittenEnds(
  access: Pick<DeskAccess, 'change'>,
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>,
) {
  let ends: ReadonlySet<string> = new Set()
  let timer: NodeJS.Timeout | undefined

  async function write() {
    const written = ends
    await access.change((found) => ({
      result: undefined,
      state: withEnds(found, written),
    }))
    ends = ends.difference(written)
    log.warn('The sessions and links that ended at the desk are written now.')
  }

  const again = () => {
    timer = setTimeout(async () => {
      await write().catch(() => {})
      timer = undefined
      if (ends.size > 0) again()
    }, AGAIN_MS).unref()
  }

  return {
    /** @param ids of sessions and links. */
    add(ids: readonly string[]) {
      ends = ends.union(new Set(ids))
      log.error(
        'Sessions or links that ended at the desk cannot be written. This server enforces their end and tries again; a restart before that would undo it.',
      )
      if (!timer) again()
    },
    /** The stored state without what has ended here. */
    in: (found: DeskAccessState) => (ends.size > 0 ? withEnds(found, ends) : found),
    /** Tries to write once more. */
    async close() {
      clearTimeout(timer)
      if (ends.size > 0) await write().catch(() => {})
    },
  }
}
