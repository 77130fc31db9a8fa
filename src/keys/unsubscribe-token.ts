import { timingSafeEqual } from 'node:crypto'
import { keyedHash } from './address-id.ts'

/**
 * Signs and verifies the token of a link in a letter. It holds an `addressId`, never an address, and
 * is of no use for another link.
 */
export interface LinkTokens {
  sign(addressId: string): string
  /** @returns the `addressId`, or `undefined` for a token that we did not sign. */
  read(token: string): string | undefined
}

/** @param linkKey the secret `LINK_KEY`, the same for server and operator. */
export const unsubscribeTokens = (linkKey: Buffer) => linkTokens(linkKey, 'unsubscribe')

/** Those of the button of a letter that asks. @param name of `LetterThatAsks`. */
export const askingTokens = (linkKey: Buffer, name: string) => linkTokens(linkKey, name)

function linkTokens(linkKey: Buffer, purpose: string): LinkTokens {
  const signature = keyedHash(linkKey, purpose)
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
