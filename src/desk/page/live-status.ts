import { useSyncExternalStore } from 'react'

/**
 * Whether the page follows the server's events: `still` without script, or on a page without
 * events.
 */
export interface LiveStatus {
  readonly status: 'still' | 'live' | 'reconnecting' | 'ended'
  /** The time of what is shown, in milliseconds since 1970; left out, the page's own. */
  readonly at?: number
}

const still: LiveStatus = { status: 'still' }
let current = still
const listeners = new Set<() => void>()

/** Called by the code that listens to the server's events; the mark in the bar shows it. */
export function setLiveStatus(next: LiveStatus): void {
  current = next
  for (const listener of listeners) listener()
}

export function useLiveStatus(): LiveStatus {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
    () => still,
  )
}
