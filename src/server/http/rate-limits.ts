import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServerSettings } from '../../config/server-settings.ts'
import { networkOf, plainAddress } from './client-address.ts'
import { Refusal } from './refusal.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** So many networks are remembered for each limit, in some 20 MB; then who was here longest ago goes. */
const REMEMBERED = 50_000

/**
 * Limits the sign-ups from one client address, in a minute and in a day. Of IPv6, a household has a
 * /64, and whoever wants more of those has a /48. What is counted stays in memory.
 *
 * @returns a hook that refuses what is too much.
 */
export async function visitorLimits(
  app: FastifyInstance,
  { rateLimit: aMinute, rateLimitDay: aDay }: Pick<ServerSettings, 'rateLimit' | 'rateLimitDay'>,
) {
  await app.register(rateLimit, { global: false })
  const limits = [
    { max: aMinute, timeWindow: MINUTE_MS, bits: 64 } as const,
    { max: aDay, timeWindow: DAY_MS, bits: 48 } as const,
  ]
    .filter(({ max }) => max > 0)
    .map(({ bits, ...limit }) => {
      const keyGenerator = (request: FastifyRequest) => networkOf(clientAddress(request), bits)
      // Its types do not know the size of the memory, which it takes.
      const options = { ...limit, keyGenerator, cache: REMEMBERED }
      return app.createRateLimit(options)
    })

  return async (request: FastifyRequest, reply: FastifyReply) => {
    for (const count of limits) {
      const counted = await count(request)
      if (counted.isAllowed || !counted.isExceeded) continue
      reply.header('retry-after', counted.ttlInSeconds)
      throw new Refusal('too-many-requests')
    }
  }
}

/** Where a request comes from, as far as it is known: what is no address counts as its proxy's. */
function clientAddress({ ip, ips = [ip] }: FastifyRequest): string {
  return ips.map(plainAddress).findLast((address) => address !== undefined) ?? ''
}
