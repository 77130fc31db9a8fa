import { setTimeout as sleep } from 'node:timers/promises'
import type { DeskAccess, DeskAccessState } from '../store/desk-access.ts'

const LOOK_AGAIN_MS = 300

/**
 * Reads who may open the desk, rarely where each read costs money.
 *
 * @param believedMs how long a read state is trusted.
 */
export function looksInto(access: Pick<DeskAccess, 'read'>, believedMs: number) {
  let last: { found: Promise<DeskAccessState>; at: number } | undefined

  function fresh(): Promise<DeskAccessState> {
    const found = access.read()
    const look = { found, at: performance.now() }
    last = look
    found.catch(() => {
      if (last === look) last = undefined
    })
    return found
  }

  const now = () => (last && performance.now() - last.at < believedMs ? last.found : fresh())

  /** Waits until a read is due again, once for all callers. */
  let next: Promise<DeskAccessState> | undefined
  function again() {
    const pause = Math.max(0, (last?.at ?? 0) + LOOK_AGAIN_MS - performance.now())
    next ??= sleep(pause).then(() => {
      next = undefined
      return fresh()
    })
    return next
  }

  return {
    now,
    async find<T>(pick: (found: DeskAccessState) => T | undefined): Promise<T | undefined> {
      const known = pick(await now())
      // An unknown token that we signed may be new, such as the session of a link just used.
      return known ?? (believedMs > 0 ? pick(await again()) : undefined)
    },
  }
}
