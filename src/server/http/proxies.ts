import type { FastifyInstance } from 'fastify'
import { inNetworks, isPrivate, plainAddress } from './client-address.ts'

const FORWARDING = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip']

/** Tells our proxies. @param trustProxy the setting `TRUST_PROXY`. */
export function proxiesOf(trustProxy: readonly string[]): (address: string) => boolean {
  const isTrusted = inNetworks(trustProxy)
  return (text) => {
    const address = plainAddress(text)
    return address !== undefined && isTrusted(address)
  }
}

/**
 * Says it once when `TRUST_PROXY` does not fit what arrives: then all visitors seem to come from the
 * proxy, share its limit, and are refused with nothing to be seen of it.
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
        // Perhaps a visitor's own address, and that is for no log.
        say(
          'far',
          `Somebody at a public address sends ${header}. If that is a proxy of yours, name it in TRUST_PROXY, or all of its visitors share one limit of sign-ups.`,
        )
      }
    }
    done()
  })
}
