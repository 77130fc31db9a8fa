import { BlockList, isIP, SocketAddress } from 'node:net'

const ranges: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** @returns whether an address, as `plainAddress` gives it, is in one of these networks. */
export function inNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks.flatMap((name) => ranges[name] ?? [name])) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** Whether an address is private, so not a visitor's on the internet. */
export const isPrivate = inNetworks(Object.keys(ranges))

/**
 * Normalises an address as proxies write it: removes port, brackets and zone, and turns an
 * IPv4-mapped IPv6 address into the IPv4 address.
 *
 * @returns `undefined` if it is no address.
 */
export function plainAddress(text: string): string | undefined {
  const [, bracketed, ipv4] = /^\[([^\]]*)\](?::\d{1,5})?$|^([\d.]+)(?::\d{1,5})?$/.exec(text) ?? []
  const address = (bracketed ?? ipv4 ?? text).replace(/%.*$/, '')
  if (isIP(address) === 4) return address
  if (isIP(address) === 0) return undefined
  const written = new SocketAddress({ address, family: 'ipv6' }).address
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(written)?.[1] ?? written
}

/**
 * What of the internet an address is in that one company, data centre or school can have: a /24, or a
 * /48 of IPv6. Nothing for a private address, which is a proxy's or the same house's.
 */
export function neighbourhoodOf(address: string): string | undefined {
  if (isIP(address) === 0 || isPrivate(address)) return undefined
  return isIP(address) === 6 ? networkOf(address, 48) : address.replace(/\d+$/, '0/24')
}

/**
 * The network of an IPv6 address, with a prefix of so many bits; an IPv4 address is returned as is.
 */
export function networkOf(address: string, bits: 48 | 64): string {
  if (isIP(address) !== 6) return address
  const [start = '', end = ''] = address.split('::')
  const before = start.split(':').filter(Boolean)
  const after = end.split(':').filter(Boolean)
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  return `${[...before, ...(address.includes('::') ? zeros : []), ...after].slice(0, bits / 16).join(':')}::/${bits}`
}
