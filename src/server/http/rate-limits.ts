import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServerSettings } from '../../config/programs.ts'
import { networkOf, plainAddress, withoutNat64 } from './client-address.ts'
import { Refusal } from './refusal.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** How many networks each limit counts, in some 20 MB. Beyond that, the oldest is dropped. */
const REMEMBERED = 50_000

/** Beyond a day's limit sign-ups are quarantined, and beyond this multiple of it refused. */
const REFUSED_FROM = 10

/** Hooks of one route. The first counts each request, the second refuses those above the limit. */
export interface FormLimit {
  onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void>
  preHandler(request: FastifyRequest): Promise<void>
}

export interface VisitorLimits {
  /** A hook that refuses all requests above the limit of a minute. */
  perMinute(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /**
   * The same for forms: those that are refused before they are read count as well, and the refusal can
   * show the address in the input again.
   */
  readonly formsPerMinute: FormLimit
  /**
   * Counts a sign-up against the day. Only for valid addresses, known and new alike: so a refusal
   * reveals nothing of an address, and invalid requests do not use up a day.
   *
   * @returns whether it is beyond the day's limit. @throws Refusal at ten times that
   */
  isBeyondDay(request: FastifyRequest, reply: FastifyReply): Promise<boolean>
}

/**
 * Rate limits: the sign-ups from one client address, in a minute and in a day. For IPv6 it counts a
 * /64 in a minute and a /48 in a day, which is what one customer can have. The counts are in
 * memory.
 */
export async function visitorLimits(
  app: FastifyInstance,
  { rateLimit: aMinute, rateLimitDay: aDay }: Pick<ServerSettings, 'rateLimit' | 'rateLimitDay'>,
): Promise<VisitorLimits> {
  await app.register(rateLimit, { global: false })
  const minute = limiter({ max: aMinute, timeWindow: MINUTE_MS, bits: 64 })
  const day = limiter({ max: REFUSED_FROM * aDay, timeWindow: DAY_MS, bits: 48 })

  /** @returns counts one more: how many there are now. */
  function limiter({ bits, ...limit }: { max: number; timeWindow: number; bits: 48 | 64 }) {
    const keyGenerator = (request: FastifyRequest) => networkOf(clientAddress(request), bits)
    // Its types lack the option `cache`, which it accepts.
    const options = { ...limit, keyGenerator, cache: REMEMBERED }
    const count = app.createRateLimit(options)
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const counted = limit.max > 0 && (await count(request))
      if (!counted || counted.isAllowed) return 0
      if (!counted.isExceeded) return limit.max - counted.remaining
      reply.header('retry-after', counted.ttlInSeconds)
      throw new Refusal('too-many-requests')
    }
  }

  const refused = new WeakMap<FastifyRequest, unknown>()

  return {
    async perMinute(request, reply) {
      await minute(request, reply)
    },
    formsPerMinute: {
      onRequest: async (request, reply) => {
        await minute(request, reply).catch((why) => refused.set(request, why))
      },
      preHandler: async (request) => {
        if (refused.has(request)) throw refused.get(request)
      },
    },
    isBeyondDay: async (request, reply) => (await day(request, reply)) > aDay,
  }
}

/** The client address of a request; the proxy's if the forwarded one is no address. */
export function clientAddress({ ip, ips = [ip] }: FastifyRequest): string {
  return withoutNat64(ips.map(plainAddress).findLast((address) => address !== undefined) ?? '')
}
