import { useSyncExternalStore } from 'react'

/** Whether the page hears of what happens: `still` without script, or where nothing is to be heard. */
export type LiveStatus = 'still' | 'live' | 'reconnecting'

let status: LiveStatus = 'still'
const listeners = new Set<() => void>()

/** Said by whoever listens to the server's events; the mark in the bar shows it. */
export function setLiveStatus(next: LiveStatus): void {
  if (next === status) return
  status = next
  for (const listener of listeners) listener()
}

export function useLiveStatus(): LiveStatus {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => status,
    () => 'still',
  )
}
