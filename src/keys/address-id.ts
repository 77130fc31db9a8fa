import { createSecretKey, hash, hkdfSync } from 'node:crypto'
import { sealed, unsealed } from './sealed.ts'

/** Pseudonyms of addresses: keyed hashes, from which no address can be found without the key. */
export interface AddressIds {
  /** A fingerprint of the key, so that a store can refuse any other key. */
  readonly fingerprint: string
  /** 22 characters of base64url, always the same for an address (as `parseEmail` returns it). */
  of(email: string): string
  /**
   * What other systems know a person by, made of the address id: also 22 characters, and of no use
   * for an unsubscribe link.
   */
  person(addressId: string): string
  /** An address that has to be kept until it is erased elsewhere, sealed: no file shows it. */
  seal(email: string): string
  /** @returns nothing for a text that was not sealed with this key. */
  unseal(sealed: string): string | undefined
}

/** @param linkKey the secret `LINK_KEY`; without it no id can be guessed from an address. */
export function addressIds(linkKey: Buffer): AddressIds {
  const hmac = keyedHash(linkKey, 'address-id')
  const erasure = purposeKey(linkKey, 'erasure')
  return {
    fingerprint: keyedHash(linkKey, 'fingerprint')(''),
    of: hmac,
    person: keyedHash(linkKey, 'event-person'),
    seal: (email) => sealed(erasure, Buffer.from(email)),
    unseal: (text) => unsealed(erasure, text)?.toString(),
  }
}

/** Whether a value has the form of an address id or a network's, for those of requests and copies. */
export const isAddressId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w-]{22}$/.test(value)

/**
 * One independent keyed hash for each purpose, 128 bits in base64url. It is HMAC-SHA-256 (RFC 2104, whose
 * pads these are) in two plain hashes, since an object of Node for each costs twice as much.
 */
export function keyedHash(linkKey: Buffer, purpose: string): (text: string) => string {
  const key = Buffer.concat([purposeKey(linkKey, purpose).export()], SHA_256_BLOCK)
  const padded = (pad: number) => Buffer.from(key.map((byte) => byte ^ pad)).toString('latin1')
  const [inner, outer] = [padded(0x36), padded(0x5c)]
  return (text) => {
    const hashed = sha256(outer + sha256(inner + Buffer.from(text).toString('latin1')))
    return Buffer.from(hashed.slice(0, 16), 'latin1').toString('base64url')
  }
}

const SHA_256_BLOCK = 64
/** Of bytes, a character each, which Node gives sooner than a buffer. */
const sha256 = (bytes: string) => hash('sha256', Buffer.from(bytes, 'latin1'), 'binary')

/** One independent key for each purpose, 256 bits. */
export function purposeKey(linkKey: Buffer, purpose: string) {
  return createSecretKey(
    Buffer.from(hkdfSync('sha256', linkKey, '', `opening-bell ${purpose}`, 32)),
  )
}
