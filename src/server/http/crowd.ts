import type { FastifyRequest } from 'fastify'
import { mailboxOf } from '../../shared/mailbox.ts'
import { publicProviders } from '../../shared/public-providers.ts'
import { networkOf } from './client-address.ts'
import { clientAddress } from './rate-limits.ts'

const HOUR_MS = 3_600_000
/** A household, a table in a café, some colleagues; who comes after them waits behind everybody else. */
const ORDINARY = 10
const REMEMBERED = 50_000

/**
 * Tells whether many came from a visitor's network within the hour. Their letters leave after those
 * of everybody else: so a flood waits, and nobody is refused. Addresses stay in memory.
 */
export function crowds(now = Date.now): (request: FastifyRequest) => boolean {
  const isOneOfMany = manyWithinTheHour(now)
  return (request) => isOneOfMany(networkOf(clientAddress(request), 48))
}

/**
 * The same where no visitor is seen, but only what address was left: by its domain, and where
 * everybody has one, by its mailbox.
 */
export function crowdsOfAddresses(now = Date.now): (email: string) => boolean {
  const isOneOfMany = manyWithinTheHour(now)
  return (email) => {
    const domain = email.slice(email.lastIndexOf('@') + 1)
    return isOneOfMany(publicProviders.has(domain) ? mailboxOf(email) : domain)
  }
}

function manyWithinTheHour(now: () => number): (name: string) => boolean {
  let since = now()
  const seen = new Map<string, number>()
  return (name) => {
    if (now() - since > HOUR_MS || seen.size > REMEMBERED) {
      since = now()
      seen.clear()
    }
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count > ORDINARY
  }
}
