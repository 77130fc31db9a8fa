import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { inNetworks, isPrivate, plainAddress, withoutNat64 } from './client-address.ts'

const FORWARDING = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip']

/** Tests whether an address is a trusted proxy. @param trustProxy the setting `TRUST_PROXY`. */
export function proxiesOf(trustProxy: readonly string[]): (address: string) => boolean {
  const isTrusted = inNetworks(trustProxy)
  return (text) => {
    const address = plainAddress(text)
    return address !== undefined && isTrusted(address)
  }
}

/** The client address of a request; the proxy's if the forwarded one is no address. */
export type ClientAddress = (request: IncomingMessage) => string

/** What a request says of itself, and trusted proxies of it. @param isProxy as `proxiesOf` gives it. */
export function behindProxies(isProxy: (address: string) => boolean) {
  /** Those it came through, the nearest first; what stands behind one that is no proxy may be made up. */
  function addressesOf({ headers, socket }: IncomingMessage): string[] {
    const { remoteAddress: peer = '' } = socket
    const forwarded = headers['x-forwarded-for']
    if (forwarded === undefined) return [peer]
    const all = [peer, ...partsOf(forwarded).reverse()]
    const last = all.findIndex((one) => !isProxy(one))
    return last < 0 ? all : all.slice(0, last + 1)
  }

  const clientAddress: ClientAddress = (request) =>
    withoutNat64(
      addressesOf(request)
        .map(plainAddress)
        .findLast((address) => address !== undefined) ?? '',
    )

  /** The host that was asked, with its port. */
  function hostOf({ headers, socket }: IncomingMessage): string {
    const { host = '', 'x-forwarded-host': forwarded } = headers
    if (forwarded === undefined || !isProxy(socket.remoteAddress ?? '')) return host
    return partsOf(forwarded).at(-1) ?? host
  }

  return { clientAddress, hostOf }
}

/** @param header a list; Node joins repeated ones. */
const partsOf = (header: string | string[]) =>
  String(header)
    .split(',')
    .flatMap((part) => part.trim() || [])

/**
 * Warns once when `TRUST_PROXY` does not match the headers that arrive. All visitors then seem to
 * come from the proxy and share one rate limit.
 *
 * @returns a function that looks at a request.
 */
export function warnOfWrongProxies(
  log: Pick<FastifyBaseLogger, 'warn'>,
  isProxy: (address: string) => boolean,
) {
  const said = new Set<string>()
  const say = (which: string, message: string) => {
    if (!said.has(which)) log.warn(message)
    said.add(which)
  }
  return ({ headers, socket }: IncomingMessage): void => {
    const header = FORWARDING.find((name) => headers[name] !== undefined)
    if (header !== undefined) {
      const peer = plainAddress(socket.remoteAddress ?? '')
      if (peer === undefined) return
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
  }
}
