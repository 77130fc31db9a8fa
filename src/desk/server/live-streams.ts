/** What a stream of events needs of an answer, of HTTP/1.1 or HTTP/2. */
export interface EventAnswer {
  write(text: string): boolean
  destroy(): void
  once(event: 'drain', then: () => void): unknown
}

export interface LiveStream {
  /** Sends an event; while the reader is behind, keeps it instead of the previous one. */
  send(event: string, value: string): void
  /** Keeps the connection open, and drops a reader that has not read for a while. */
  beat(): void
}

/** How long a reader may be behind. */
const BEHIND_MS = 30_000

/**
 * A stream of server-sent events to one reader. Each event holds the whole state, so a slow reader
 * skips events in between, and takes the memory of one event.
 */
export function liveStream(answer: EventAnswer): LiveStream {
  let behindSince: number | undefined
  let next: string | undefined

  function write(text: string) {
    if (answer.write(text)) return
    behindSince = performance.now()
    answer.once('drain', () => {
      behindSince = undefined
      const waiting = next
      next = undefined
      if (waiting !== undefined) write(waiting)
    })
  }

  return {
    send(event, value) {
      const text = `event: ${event}\ndata: ${value}\n\n`
      if (behindSince === undefined) write(text)
      else next = text
    },
    beat() {
      if (behindSince === undefined) write(':\n\n')
      else if (performance.now() - behindSince > BEHIND_MS) answer.destroy()
    },
  }
}
