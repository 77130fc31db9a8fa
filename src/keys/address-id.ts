import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

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
  return {
    fingerprint: keyedHash(linkKey, 'fingerprint')(''),
    of: hmac,
    person: keyedHash(linkKey, 'event-person'),
    ...sealing(purposeKey(linkKey, 'erasure')),
  }
}

const CIPHER = 'aes-256-gcm'
const [NONCE, TAG] = [12, 16]

function sealing(key: KeyObject): Pick<AddressIds, 'seal' | 'unseal'> {
  return {
    seal(email) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv(CIPHER, key, nonce)
      const sealed = Buffer.concat([cipher.update(email), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
    },

    unseal(sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < NONCE + TAG) return undefined
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE))
      decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
      const email = decipher.update(bytes.subarray(NONCE + TAG))
      try {
        return Buffer.concat([email, decipher.final()]).toString()
      } catch {
        return undefined
      }
    },
  }
}

/** Whether a value has the form of an address id or a network's, for those of requests and copies. */
export const isAddressId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w-]{22}$/.test(value)

/** One independent keyed hash for each purpose, 128 bits in base64url. */
export function keyedHash(linkKey: Buffer, purpose: string): (text: string) => string {
  const key = purposeKey(linkKey, purpose)
  return (text) =>
    createHmac('sha256', key).update(text).digest().subarray(0, 16).toString('base64url')
}

/** One independent key for each purpose, 256 bits. */
export function purposeKey(linkKey: Buffer, purpose: string) {
  return createSecretKey(
    Buffer.from(hkdfSync('sha256', linkKey, '', `opening-bell ${purpose}`, 32)),
  )
}
