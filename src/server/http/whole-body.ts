import type { IncomingMessage, ServerResponse } from 'node:http'

export interface BodyLimits {
  /** The limit of one body. */
  readonly bytes: number
  /** The limit of all bodies held at once. */
  readonly allBytes: number
  /** How long a body may take to arrive, in milliseconds. */
  readonly withinMs: number
}

/** A body, or the status of its refusal; nothing if the client has left. */
export type Body = Buffer | 408 | 413 | 503 | undefined

/**
 * Reads whole bodies, so that handlers never wait for a client.
 *
 * If they exceed the limit together, the body that has been arriving for the longest time is
 * dropped, not the newest: so slow clients do not block others.
 *
 * @returns a function that reads one, which counts as held until it is dropped or answered.
 */
export function bodyReader({ bytes, allBytes, withinMs }: BodyLimits) {
  const arriving = new Set<(why: 503) => void>()
  let held = 0

  return (request: IncomingMessage, response: ServerResponse) =>
    new Promise<Body>((resolve) => {
      if (request.destroyed || response.destroyed) return resolve(undefined)
      const chunks: Buffer[] = []
      let own = 0
      const release = () => {
        held -= own
        own = 0
      }
      const end = (body: Body) => {
        clearTimeout(late)
        arriving.delete(end)
        request.off('data', take).off('end', whole).off('close', left)
        if (!Buffer.isBuffer(body)) release()
        resolve(body)
      }
      const take = (chunk: Buffer) => {
        own += chunk.length
        held += chunk.length
        if (own > bytes) return end(413)
        chunks.push(chunk)
        for (const [oldest] of arriving.entries()) {
          if (held <= allBytes) break
          oldest(503)
        }
      }
      const whole = () => end(Buffer.concat(chunks))
      const left = () => end(undefined)
      const late = setTimeout(() => end(408), withinMs)
      arriving.add(end)
      response.on('close', release)
      request.on('data', take).on('end', whole).on('close', left)
    })
}
