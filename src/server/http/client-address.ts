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
  if (isIP(text) === 4) return text
  const [, bracketed, ipv4] = /^\[([^\]]*)\](?::\d{1,5})?$|^([\d.]+)(?::\d{1,5})?$/.exec(text) ?? []
  const address = (bracketed ?? ipv4 ?? text).replace(/%.*$/, '')
  if (isIP(address) === 4) return address
  if (isIP(address) === 0) return undefined
  const written = new SocketAddress({ address, family: 'ipv6' }).address
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(written)?.[1] ?? written
}

/**
 * The IPv4 address of a visitor behind NAT64 (64:ff9b::/96, RFC 6052); any other address unchanged.
 * Not for the address of a proxy: a client at the NAT64 form of 127.0.0.1 is not on this machine.
 *
 * @param address as `plainAddress` gives it.
 */
export function withoutNat64(address: string): string {
  if (!address.startsWith('64:ff9b:')) return address
  const groups = groupsOf(address).map((group) => Number.parseInt(group, 16))
  if (groups.slice(2, 6).some((group) => group > 0)) return address
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}

/**
 * The network around an address that one company, data centre or school can have: a /24, or a /48
 * of IPv6. Nothing for a private address, which is a proxy's or of the same house.
 */
export function neighbourhoodOf(address: string): string | undefined {
  if (isIP(address) === 0 || isPrivate(address)) return undefined
  return isIP(address) === 6 ? networkOf(address, 48) : address.replace(/\d+$/, '0/24')
}

/** NAT64 within a network (RFC 8215): each `/96` of it holds all of IPv4. */
const LOCAL_NAT64 = '64:ff9b:1:'

/**
 * The network of an IPv6 address, with a prefix of `bits`. An IPv4 address, and one behind a local
 * NAT64, is returned unchanged.
 */
export function networkOf(address: string, bits: 48 | 64): string {
  if (isIP(address) !== 6 || address.startsWith(LOCAL_NAT64)) return address
  const groups = groupsOf(address).slice(0, bits / 16)
  return `${groups.join(':')}::/${bits}`
}

/** @param address an IPv6 address. */
function groupsOf(address: string): string[] {
  const [before = [], after = []] = address
    .split('::')
    .map((part) => part.split(':').filter(Boolean))
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
}
