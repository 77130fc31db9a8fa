import type { FastifyRequest } from 'fastify'
import { networkOf } from './client-address.ts'
import { clientAddress } from './rate-limits.ts'

const HOUR_MS = 3_600_000
/** A household or a table in a café; who comes after them waits behind everybody else. */
const ORDINARY = 10
const REMEMBERED = 50_000

/**
 * Tells whether many came from a visitor's network within the hour. Their letters leave after those
 * of everybody else: so a flood waits, and nobody is refused. Addresses stay in memory.
 */
export function crowds(now = Date.now): (request: FastifyRequest) => boolean {
  let since = now()
  const seen = new Map<string, number>()
  return (request) => {
    if (now() - since > HOUR_MS || seen.size > REMEMBERED) {
      since = now()
      seen.clear()
    }
    const network = networkOf(clientAddress(request), 48)
    const count = (seen.get(network) ?? 0) + 1
    seen.set(network, count)
    return count > ORDINARY
  }
}
