import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServerSettings } from '../../config/server-settings.ts'
import { networkOf, plainAddress } from './client-address.ts'
import { Refusal } from './refusal.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Networks that are counted for each limit, in some 20 MB. Beyond that, the oldest is dropped. */
const REMEMBERED = 50_000

/**
 * Rate limit: the sign-ups from one client address, in a minute and in a day. For IPv6 it counts a
 * /64 in a minute and a /48 in a day, which is what one customer can have. The counts are in
 * memory.
 *
 * @returns a hook that refuses requests above a limit.
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
      // Its types lack the option `cache`, which it accepts.
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

/** The client address of a request; the proxy's if the forwarded one is no address. */
export function clientAddress({ ip, ips = [ip] }: FastifyRequest): string {
  return ips.map(plainAddress).findLast((address) => address !== undefined) ?? ''
}
