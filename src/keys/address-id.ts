import { createHmac, createSecretKey, hkdfSync } from 'node:crypto'

/** Names addresses without saying them. */
export interface AddressIds {
  /** Tells keys apart: a store is bound to the key that its entries were made with. */
  readonly fingerprint: string
  /** 22 characters of base64url, always the same for an address (as `parseEmail` returns it). */
  of(email: string): string
}

/** @param linkKey the secret `LINK_KEY`; without it no id can be guessed from an address. */
export function addressIds(linkKey: Buffer): AddressIds {
  const hmac = keyedHash(linkKey, 'address-id')
  return { fingerprint: keyedHash(linkKey, 'fingerprint')(''), of: hmac }
}

/** One independent keyed hash for each purpose, 128 bits in base64url. */
export function keyedHash(linkKey: Buffer, purpose: string): (text: string) => string {
  const key = createSecretKey(
    Buffer.from(hkdfSync('sha256', linkKey, '', `opening-bell ${purpose}`, 32)),
  )
  return (text) =>
    createHmac('sha256', key).update(text).digest().subarray(0, 16).toString('base64url')
}
