import { setLiveStatus } from './live-status.ts'

/** Pause after a failure that the browser does not retry, such as an answer that is no stream. */
const AGAIN_MS = 5000
/** Pause once the session has ended: another window may open the desk again. */
const AGAIN_ENDED_MS = 30_000

/**
 * Listens to the server's events while the page is visible: a browser has few connections, and a
 * hidden page needs none. Each event holds the whole state, so nothing is lost in between.
 *
 * @param events as the shell has it. @param topic the events to listen to. @param onState gets the whole state. @returns what ends it.
 */
export function listen<T>(events: string, topic: string, onState: (state: T) => void): () => void {
  let source: EventSource | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  let build: string | undefined

  const url = `${events}&of=${encodeURIComponent(topic)}`

  function open() {
    clearTimeout(again)
    source?.close()
    source = new EventSource(url)
    source.addEventListener('build', ({ data }) => {
      // Another version of the desk: this page may not understand its events.
      if (build !== undefined && data !== build) location.reload()
      build = data
    })
    source.addEventListener('state', ({ data }) => {
      const state = JSON.parse(data) as T & { at?: number; trouble?: string }
      const status = state.trouble === undefined ? 'live' : 'reconnecting'
      setLiveStatus({ status, ...(state.at !== undefined && { at: state.at }) })
      onState(state)
    })
    source.addEventListener('away', () => setLiveStatus({ status: 'reconnecting' }))
    source.addEventListener('error', async ({ target }) => {
      if (source?.readyState !== EventSource.CLOSED)
        return setLiveStatus({ status: 'reconnecting' })
      const isEnded = await sessionHasEnded(url)
      // It was closed, or opened again, meanwhile.
      if (source !== target) return
      setLiveStatus({ status: isEnded ? 'ended' : 'reconnecting' })
      again = setTimeout(open, isEnded ? AGAIN_ENDED_MS : AGAIN_MS)
    })
  }

  function close() {
    clearTimeout(again)
    source?.close()
    source = undefined
  }

  const look = () => (document.visibilityState === 'visible' ? open() : close())
  document.addEventListener('visibilitychange', look)
  window.addEventListener('pagehide', close)
  look()
  return () => {
    document.removeEventListener('visibilitychange', look)
    window.removeEventListener('pagehide', close)
    close()
  }
}

/**
 * Events do not say why they were refused: without a session, their path is unknown or asks to sign
 * in.
 */
async function sessionHasEnded(url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(AGAIN_MS)
    const { status, headers, body } = await fetch(url, { signal, cache: 'no-store' })
    await body?.cancel()
    return status === 404 || (status === 200 && !!headers.get('content-type')?.includes('html'))
  } catch {
    return false
  }
}
