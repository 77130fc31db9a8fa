import type { FastifyBaseLogger } from 'fastify'
import { type DeskAccess, type DeskAccessState, withEnds } from '../store/desk-access.ts'

const AGAIN_MS = 2000

/**
 * Ends at the desk that could not be written, as on a full disk: they hold in this process from now on,
 * and are written as soon as that can be done.
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
    log.warn('What ended at the desk is written now.')
  }

  const again = () => {
    timer = setTimeout(async () => {
      await write().catch(() => {})
      timer = undefined
      if (ends.size > 0) again()
    }, AGAIN_MS).unref()
  }

  return {
    /** @param ids of sessions, links, passkeys and challenges. */
    add(ids: readonly string[]) {
      ends = ends.union(new Set(ids))
      log.error(
        'What ended at the desk cannot be written. This server keeps to it and tries again; a restart before that would undo it.',
      )
      if (!timer) again()
    },
    /** What holds, of what the store says. */
    in: (found: DeskAccessState) => (ends.size > 0 ? withEnds(found, ends) : found),
    /** Tries once more. */
    async close() {
      clearTimeout(timer)
      if (ends.size > 0) await write().catch(() => {})
    },
  }
}
