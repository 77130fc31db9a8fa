import type { FastifyInstance } from 'fastify'
import { inNetworks, isPrivate, plainAddress } from './client-address.ts'

const FORWARDING = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip']

/** Tests whether an address is a trusted proxy. @param trustProxy the setting `TRUST_PROXY`. */
export function proxiesOf(trustProxy: readonly string[]): (address: string) => boolean {
  const isTrusted = inNetworks(trustProxy)
  return (text) => {
    const address = plainAddress(text)
    return address !== undefined && isTrusted(address)
  }
}

/**
 * Warns once when `TRUST_PROXY` does not match the headers that arrive. All visitors then seem to
 * come from the proxy and share one rate limit.
 */
export function warnOfWrongProxies(app: FastifyInstance, isProxy: (address: string) => boolean) {
  const said = new Set<string>()
  const say = (which: string, message: string) => {
    if (!said.has(which)) app.log.warn(message)
    said.add(which)
  }
  app.addHook('onRequest', ({ headers, socket }, _reply, done) => {
    const header = FORWARDING.find((name) => headers[name] !== undefined)
    if (header !== undefined) {
      const peer = plainAddress(socket.remoteAddress ?? '')
      if (peer === undefined) return done()
      if (isProxy(peer)) {
        if (header !== 'x-forwarded-for')
          say(
            'other',
            `The proxy sends ${header}, and only x-forwarded-for is read: let it send that, or all visitors share one limit of sign-ups.`,
          )
      } else if (isPrivate(peer)) {
        const name = /^(127\.|::1$)/.test(peer) ? 'loopback' : peer
        say(
          'near',
          `Visitors come through a proxy that TRUST_PROXY does not name, so all of them share one limit of sign-ups: set TRUST_PROXY=${name}, or add it there.`,
        )
      } else {
        // It may be a visitor's address, which must not be logged.
        say(
          'far',
          `A client at a public address sends ${header}. If it is a proxy of yours, name it in TRUST_PROXY, or all of its visitors share one limit of sign-ups.`,
        )
      }
    }
    done()
  })
}
