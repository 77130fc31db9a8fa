import { timingSafeEqual } from 'node:crypto'
import { keyedHash } from './address-id.ts'

/**
 * Signs and verifies the token of an unsubscribe link. It holds an `addressId`, never an address.
 */
export interface UnsubscribeTokens {
  sign(addressId: string): string
  /** @returns the `addressId`, or `undefined` for a token that we did not sign. */
  read(token: string): string | undefined
}

/** @param linkKey the secret `LINK_KEY`, the same for server and operator. */
export function unsubscribeTokens(linkKey: Buffer): UnsubscribeTokens {
  const signature = keyedHash(linkKey, 'unsubscribe')
  const sign = (addressId: string) => addressId + signature(addressId)
  return {
    sign,
    read(token) {
      if (!/^[\w-]{44}$/.test(token)) return undefined
      const addressId = token.slice(0, 22)
      return timingSafeEqual(Buffer.from(token), Buffer.from(sign(addressId)))
        ? addressId
        : undefined
    },
  }
}
