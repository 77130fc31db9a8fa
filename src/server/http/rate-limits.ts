import type { IncomingMessage, ServerResponse } from 'node:http'
import type { onRequestHookHandler, preHandlerHookHandler } from 'fastify'
import type { ServerSettings } from '../../config/programs.ts'
import { recent } from '../../sign-up/signs/recent.ts'
import { networkOf } from './client-address.ts'
import type { ClientAddress } from './proxies.ts'
import { Refusal } from './refusal.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** How many networks each limit counts, in some 20 MB. Beyond that, the oldest is dropped. */
const REMEMBERED = 50_000

/** Beyond a day's limit sign-ups are quarantined, and beyond this multiple of it refused. */
const REFUSED_FROM = 10

/** Hooks of one route. The first counts each request, the second refuses those above the limit. */
export interface FormLimit {
  readonly onRequest: onRequestHookHandler
  readonly preHandler: preHandlerHookHandler
}

export interface VisitorLimits {
  /** Counts a request. @throws Refusal above the limit of a minute */
  readonly perMinute: (request: IncomingMessage, response: ServerResponse) => void
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
  isBeyondDay(request: IncomingMessage, response: ServerResponse): boolean
}

/**
 * Rate limits: the sign-ups from one client address, in a minute and in a day. For IPv6 it counts a
 * /64 in a minute and a /48 in a day, which is what one customer can have. The counts are in
 * memory.
 */
export function visitorLimits(
  { rateLimit: aMinute, rateLimitDay: aDay }: Pick<ServerSettings, 'rateLimit' | 'rateLimitDay'>,
  clientAddress: ClientAddress,
): VisitorLimits {
  const minute = limiter({ most: aMinute, windowMs: MINUTE_MS, bits: 64 }, clientAddress)
  const day = limiter({ most: REFUSED_FROM * aDay, windowMs: DAY_MS, bits: 48 }, clientAddress)
  const refused = new WeakMap<IncomingMessage, Error>()

  return {
    perMinute: minute,
    formsPerMinute: {
      onRequest({ raw }, reply, done) {
        try {
          minute(raw, reply.raw)
        } catch (why) {
          refused.set(raw, why as Error)
        }
        done()
      },
      preHandler: ({ raw }, _reply, done) => done(refused.get(raw)),
    },
    isBeyondDay: (request, response) => day(request, response) > aDay,
  }
}

interface Limit {
  /** 0 is no limit. */
  readonly most: number
  readonly windowMs: number
  readonly bits: 48 | 64
}

/** @returns counts one more of a network: how many there are in its window. @throws Refusal above the limit */
function limiter({ most, windowMs, bits }: Limit, clientAddress: ClientAddress) {
  const networks = recent<{ count: number; since: number }>(REMEMBERED)
  return (request: IncomingMessage, response: ServerResponse): number => {
    if (most === 0) return 0
    const network = networkOf(clientAddress(request), bits)
    const now = Date.now()
    const known = networks.get(network)
    // A clock that was set back begins a window as well.
    const isOver = !known || Math.abs(now - known.since) >= windowMs
    const { count, since } = isOver ? { count: 0, since: now } : known
    networks.set(network, { count: count + 1, since })
    if (count < most) return count + 1
    response.setHeader('retry-after', Math.ceil((since + windowMs - now) / 1000))
    throw new Refusal('too-many-requests')
  }
}
