import { timingSafeEqual } from 'node:crypto'
import { keyedHash } from './address-id.ts'

/** What stands in the letter that asks whether its reader asked to be told. */
export interface ConfirmationKeys {
  /** What the link carries: an `addressId`, so never an address. */
  sign(addressId: string): string
  /** @returns the `addressId`, or `undefined` for what we did not sign. */
  read(token: string): string | undefined
  /** Six digits, the same in each letter of one asking: nothing has to be kept. */
  code(addressId: string, askedAt: Date): string
  isCode(given: string, addressId: string, askedAt: Date): boolean
}

/** @param linkKey the secret `LINK_KEY`. */
export function confirmationKeys(linkKey: Buffer): ConfirmationKeys {
  const signature = keyedHash(linkKey, 'confirm')
  const digits = keyedHash(linkKey, 'confirm-code')
  const sign = (addressId: string) => addressId + signature(addressId)
  const code = (addressId: string, askedAt: Date) => {
    const hash = Buffer.from(digits(`${addressId} ${askedAt.toISOString()}`), 'base64url')
    return String(hash.readUIntBE(0, 6) % 1_000_000).padStart(6, '0')
  }
  return {
    sign,
    code,
    read(token) {
      if (!/^[\w-]{44}$/.test(token)) return undefined
      const addressId = token.slice(0, 22)
      return isEqual(token, sign(addressId)) ? addressId : undefined
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
