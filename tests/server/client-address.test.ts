import { expect, it } from 'vitest'
import {
  inNetworks,
  isPrivate,
  neighbourhoodOf,
  networkOf,
  plainAddress,
  withoutNat64,
} from '../../src/server/http/client-address.ts'

it.each([
  ['203.0.113.1', '203.0.113.1'],
  ['203.0.113.1:80', '203.0.113.1'],
  ['[203.0.113.1]:80', '203.0.113.1'],
  ['2001:DB8::0:1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:65535', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::ffff:203.0.113.1', '203.0.113.1'],
  ['::ffff:cb00:7101', '203.0.113.1'],
])('takes %s for %s', (text, address) => {
  expect(plainAddress(text)).toBe(address)
})

it.each([
  ...['', 'unknown', '_hidden', 'example.com', '203.0.113', '203.0.113.256', '203.0.113.1:'],
  ...['203.0.113.1:123456', 'x203.0.113.1', '203.0.113.1x', '203.0.113.1:80x', '[]', '[x]:80'],
  ...['x[2001:db8::1]:80', '[2001:db8::1]:80x', '[2001:db8::1]:123456', '[2001:db8::1', '%eth0'],
])('takes %j for no address', (text) => {
  expect(plainAddress(text)).toBeUndefined()
})

it.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8::6', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['1::2:3:4:5:6', '1:0:0:2::/64', '1:0:0::/48'],
  ['::1', '0:0:0:0::/64', '0:0:0::/48'],
  ['1::', '1:0:0:0::/64', '1:0:0::/48'],
  ['203.0.113.1', '203.0.113.1', '203.0.113.1'],
  ['', '', ''],
])('finds the networks of %j', (address, small, large) => {
  expect([networkOf(address, 64), networkOf(address, 48)]).toEqual([small, large])
})

it('knows the addresses of networks, of both kinds and by name', () => {
  const inOurs = inNetworks(['203.0.113.7', '198.51.100.0/25', '2001:db8::/32', 'loopback'])
  for (const address of ['203.0.113.7', '198.51.100.127', '2001:db8:ffff::1', '127.9.9.9', '::1'])
    expect(inOurs(address), address).toBe(true)
  for (const address of ['203.0.113.8', '198.51.100.128', '2001:db9::1', '128.0.0.1', '::2', ''])
    expect(inOurs(address), address).toBe(false)
})

it.each([
  ...'127.0.0.1 ::1 169.254.1.1 fe80::1 10.1.1.1 172.31.0.1 192.168.1.1'.split(' '),
  ...'fd00::1'.split(' '),
])('takes %s for a machine beside ours', (address) => {
  expect(isPrivate(address)).toBe(true)
})

it.each(['126.255.255.255', '169.255.0.1', '11.0.0.1', '172.32.0.1', '192.169.0.1', '2001:db8::1'])(
  'takes %s for somebody else’s',
  (address) => {
    expect(isPrivate(address)).toBe(false)
  },
)

it.each([
  ['64:ff9b::cb00:7101', '203.0.113.1'],
  ['64:ff9b::7f00:1', '127.0.0.1'],
  ['64:ff9b::', '0.0.0.0'],
  ['64:ff9b::1:cb00:7101', '64:ff9b::1:cb00:7101'],
  ['64:ff9b:1::cb00:7101', '64:ff9b:1::cb00:7101'],
  ['2001:db8::cb00:7101', '2001:db8::cb00:7101'],
  ['203.0.113.1', '203.0.113.1'],
  ['', ''],
])('finds behind NAT64 at %j the visitor %j', (address, visitor) => {
  expect(withoutNat64(address)).toBe(visitor)
})

it.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:1:2::3', '2001:db8:1::/48'],
  ['127.0.0.1', undefined],
  ['10.1.2.3', undefined],
  ['fd00::1', undefined],
  ['', undefined],
])('counts %s among the neighbours %s', (address, network) => {
  expect(neighbourhoodOf(address)).toBe(network)
})
