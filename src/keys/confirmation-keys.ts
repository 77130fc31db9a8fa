import { timingSafeEqual } from 'node:crypto'
import { keyedHash } from './address-id.ts'

export interface ConfirmationLink {
  readonly addressId: string
  /** Milliseconds since 1970; a link without it is of any asking from before links named theirs. */
  readonly askedAt?: number
}

/** An address id, its signature, and the time of the asking to the base of 36. */
const TOKEN = /^([\w-]{22})[\w-]{22}(-?[\da-z]{1,11})?$/

/** What stands in the letter that asks whether its reader asked to be told. */
export interface ConfirmationKeys {
  /**
   * What the link carries: an `addressId`, so never an address, and which asking it is of.
   *
   * @param askedAt left out where the asking is from before links named it.
   */
  sign(addressId: string, askedAt?: Date): string
  /** @returns what was signed, or `undefined` for what we did not sign. */
  read(token: string): ConfirmationLink | undefined
  /** Six digits, the same in each letter of one asking: nothing has to be kept. */
  code(addressId: string, askedAt: Date): string
  isCode(given: string, addressId: string, askedAt: Date): boolean
}

/** @param linkKey the secret `LINK_KEY`. */
export function confirmationKeys(linkKey: Buffer): ConfirmationKeys {
  const signature = keyedHash(linkKey, 'confirm')
  const digits = keyedHash(linkKey, 'confirm-code')
  const sign = (addressId: string, time = '') =>
    addressId + signature(time ? `${addressId} ${time}` : addressId) + time
  const code = (addressId: string, askedAt: Date) => {
    const hash = Buffer.from(digits(`${addressId} ${askedAt.toISOString()}`), 'base64url')
    return String(hash.readUIntBE(0, 6) % 1_000_000).padStart(6, '0')
  }
  return {
    sign: (addressId, askedAt) => sign(addressId, askedAt?.getTime().toString(36)),
    code,
    read(token) {
      const [, addressId = '', time] = TOKEN.exec(token) ?? []
      if (!addressId || !isEqual(token, sign(addressId, time))) return undefined
      return { addressId, ...(time && { askedAt: Number.parseInt(time, 36) }) }
    },
    isCode(given, addressId, askedAt) {
      const digits = given.replace(/[\s-]/g, '')
      return /^\d{6}$/.test(digits) && isEqual(digits, code(addressId, askedAt))
    },
  }
}

/** @param one as long as the other. */
function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
