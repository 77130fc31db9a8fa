import { createCipheriv, createDecipheriv } from 'node:crypto'
import { isAddressId, purposeKey } from '../../keys/address-id.ts'

/** The codes in personal links, by which somebody refers friends. */
export interface FriendCodes {
  /** 22 characters of base64url, always the same for an address id; of no use for anything else. */
  of(addressId: string): string
  /**
   * The address id of a code. It may be one that nobody has: any text of that form is the code of
   * something, so that reading it takes as long for all.
   *
   * @returns `undefined` for a text of another form.
   */
  read(code: string): string | undefined
}

/**
 * @param linkKey the secret `LINK_KEY`; without it a code says neither whose it is nor whether
 *   anybody is on the list.
 */
export function friendCodes(linkKey: Buffer): FriendCodes {
  const key = purposeKey(linkKey, 'friend-code')
  // An id is a single block of the cipher, and no two are alike: so no mode has to hide repeats.
  const through = (made: typeof createCipheriv | typeof createDecipheriv, text: string) => {
    const cipher = made('aes-256-ecb', key, null).setAutoPadding(false)
    return cipher.update(Buffer.from(text, 'base64url')).toString('base64url')
  }
  return {
    of: (addressId) => through(createCipheriv, addressId),
    read: (code) => (isAddressId(code) ? through(createDecipheriv, code) : undefined),
  }
}
