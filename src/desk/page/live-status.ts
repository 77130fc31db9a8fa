import { useSyncExternalStore } from 'react'

/** Whether the page hears of what happens: `still` without script, or where nothing is to be heard. */
export interface LiveStatus {
  readonly status: 'still' | 'live' | 'reconnecting' | 'ended'
  /** Of what is shown, in milliseconds since 1970; left out, it is as the page was made. */
  readonly at?: number
}

const still: LiveStatus = { status: 'still' }
let current = still
const listeners = new Set<() => void>()

/** Said by whoever listens to the server's events; the mark in the bar shows it. */
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
