import { StoreUnavailable } from '../../store/subscriber-store.ts'
import type { LiveStream } from './live-streams.ts'
import type { LiveSource } from './parts.ts'

export type LiveTopic = ReturnType<typeof liveTopic>

/** The pause between two reads, at least; and reading takes at most a fifth of the time. */
const PAUSE_MS = 300
const PAUSES = 4
/** Ages and clocks change without a write. */
const ANYWAY_MS = 20_000
/** The pause after a failed read. */
const AWAY_MS = 2000

/**
 * A state that is read once for all who listen to it.
 *
 * @param failed gets errors that are no outage.
 */
export function liveTopic(source: LiveSource<unknown>, failed: (fault: unknown) => void) {
  const streams = new Set<LiveStream>()
  let isReading = false
  let isChanged = false
  /** The timer of the next read without a write. */
  let again: NodeJS.Timeout | undefined

  /** @returns how soon it may change without a write. */
  async function send(): Promise<number> {
    const state = await source.read().catch((fault: unknown) => {
      if (!(fault instanceof StoreUnavailable)) failed(fault)
    })
    const isAway = state === undefined
    const text = isAway ? 'null' : JSON.stringify(state)
    for (const stream of streams) stream.send(isAway ? 'away' : 'state', text)
    return isAway ? AWAY_MS : Math.min(ANYWAY_MS, source.againMs?.(state) ?? ANYWAY_MS)
  }

  /** To be called after each change of what is read. */
  async function refresh() {
    isChanged = true
    if (isReading) return
    isReading = true
    clearTimeout(again)
    let againMs = ANYWAY_MS
    while (isChanged && streams.size > 0) {
      isChanged = false
      const started = performance.now()
      againMs = await send()
      const pause = Math.max(PAUSE_MS, PAUSES * (performance.now() - started))
      await new Promise((resolve) => setTimeout(resolve, pause).unref())
    }
    isReading = false
    if (streams.size > 0) again = setTimeout(refresh, againMs).unref()
  }

  return {
    refresh,
    add(stream: LiveStream) {
      streams.add(stream)
      void refresh()
    },
    /** @returns whether others still listen. */
    remove(stream: LiveStream): boolean {
      streams.delete(stream)
      if (streams.size === 0) clearTimeout(again)
      return streams.size > 0
    },
  }
}
