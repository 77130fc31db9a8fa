import { describe, expect, it } from 'vitest'
import { addressIds, keyedHash } from '../../src/keys/address-id.ts'
import { unsubscribeTokens } from '../../src/keys/unsubscribe-token.ts'
import { parseEmail } from '../../src/shared/email.ts'
import { isProbeAddress, probeAddress } from '../../src/shared/probe-address.ts'
import { confirmationRequestsPath, subscribersPath } from '../../src/shared/subscriber.ts'
import { linkKey } from '../fixtures/keys.ts'

describe('the id of an address', () => {
  it('is the same in every version: links that were sent and lists that were kept depend on it', () => {
    const key = Buffer.from('a key that never changes, for this test')
    expect(addressIds(key).of('ada@example.com')).toBe('mO0WSi9T7XQGTFfLQY-1Lw')
    expect(addressIds(key).of('žofie@příklad.cz')).toBe('wIg62QqpBies2cwH4icBvA')
    expect(addressIds(key).fingerprint).toBe('maj7SaOsE90GSlkDfHy9rg')
  })

  it('is signed alike in every version, too', () => {
    const key = Buffer.from('a key that never changes, for this test')
    expect(unsubscribeTokens(key).sign('a'.repeat(22))).toBe(
      'aaaaaaaaaaaaaaaaaaaaaaIqTGRD5cKachWQsjKb4Pag',
    )
  })

  it('says nothing about the address to whoever has another key', () => {
    const [ours, theirs] = [addressIds(linkKey), addressIds(Buffer.from('another key than ours'))]
    expect(ours.of('ada@example.com')).toMatch(/^[\w-]{22}$/)
    expect(ours.of('ada@example.com')).not.toBe(theirs.of('ada@example.com'))
    expect(ours.of('ada@example.com')).not.toBe(ours.of('bob@example.com'))
    expect(ours.fingerprint).not.toBe(theirs.fingerprint)
  })

  it('is of no use for another purpose', () => {
    const hashes = ['address-id', 'unsubscribe'].map((use) => keyedHash(linkKey, use)('ada'))
    expect(new Set(hashes).size).toBe(2)
  })
})

describe('the address of a check', () => {
  it('is new each time, an address by the rule, and known as what it is', () => {
    const [one, other] = [probeAddress(), probeAddress()]
    expect(one).not.toBe(other)
    for (const email of [one, other]) {
      expect(parseEmail(email)).toBe(email)
      expect(isProbeAddress(email)).toBe(true)
    }
  })

  it.each([
    'visitor@opening-bell.invalid',
    'check-1@opening-bell.invalid.example.com',
    'check-a.b@opening-bell.invalid',
  ])('is not that of a visitor: %s', (email) => {
    expect(isProbeAddress(email)).toBe(false)
  })
})

it('keeps subscribers at the path of the specification', () => {
  expect(subscribersPath('our-app')).toBe('/artifacts/our-app/public/data/subscribers')
})

it('keeps those who ask on Firebase where every version looks for them', () => {
  expect(confirmationRequestsPath('our-app')).toBe(
    '/artifacts/our-app/public/data/confirmationRequests',
  )
})
