import { setTimeout as sleep } from 'node:timers/promises'
import type { DeskAccess, DeskAccessState } from '../store/desk-access.ts'

const LOOK_AGAIN_MS = 300

/**
 * Looks at who may open the desk, seldom enough where each look is paid for.
 *
 * @param believedMs how long what was read is believed.
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

  /** Waits until a look is due again: once for all who wait. */
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
      // What we signed and do not know may be new, such as the session of a link just used.
      return known ?? (believedMs > 0 ? pick(await again()) : undefined)
    },
  }
}
