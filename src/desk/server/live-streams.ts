/** What a stream of events needs of an answer, whichever HTTP it is of. */
export interface EventAnswer {
  write(text: string): boolean
  end(): void
  destroy(): void
  once(event: 'drain', then: () => void): unknown
}

export interface LiveStream {
  /** Sends an event, or, while the reader is behind, keeps it in place of the one before. */
  send(event: string, value: string): void
  /** Keeps the connection open; a reader who has not read for a while is dropped. */
  beat(): void
}

/** How long a reader may take for what was sent. */
const BEHIND_MS = 30_000

/**
 * A stream of server-sent events to one reader. Each event says all, so a reader who is slow misses
 * what lies between, and holds no memory but for one event.
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
