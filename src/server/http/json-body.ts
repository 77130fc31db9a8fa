import type { IncomingMessage } from 'node:http'
import { Refusal } from './refusal.ts'

const JSON_TYPE = /^application\/json\s*(?:;|$)/i

/**
 * Reads a body of JSON that comes to Node's server. How long it may take is the server's limit.
 *
 * @param most its limit, in bytes. @throws Refusal where it is longer, or no JSON
 */
export async function jsonBody(request: IncomingMessage, most: number): Promise<unknown> {
  const { headers } = request
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) throw new Refusal('unsupported-media-type')
  if (Number(headers['content-length']) > most) throw new Refusal('too-large')
  const text = await textOf(request, most)
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('bad-request')
  }
}

/** Waits for ever for a client that leaves: nobody is left to be answered. */
function textOf(request: IncomingMessage, most: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > most) reject(new Refusal('too-large'))
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(Buffer.concat(chunks).toString()))
  })
}
