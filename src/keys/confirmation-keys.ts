import { timingSafeEqual } from 'node:crypto'
import { keyedHash } from './address-id.ts'

export interface ConfirmationLink {
  readonly addressId: string
  /** Milliseconds since 1970. */
  readonly askedAt: number
}

/** An address id, its signature, and the time of the request in base 36. */
const TOKEN = /^([\w-]{22})[\w-]{22}(-?[\da-z]{1,11})$/

/** The link and the code of a confirmation letter. */
export interface ConfirmationKeys {
  /** The token of the link: it holds an `addressId`, never an address, and the time of the request. */
  sign(addressId: string, askedAt: Date): string
  /** @returns what was signed, or `undefined` for what we did not sign. */
  read(token: string): ConfirmationLink | undefined
  /** Six digits, the same in each letter of one request, so that no code has to be stored. */
  code(addressId: string, askedAt: Date): string
  isCode(given: string, addressId: string, askedAt: Date): boolean
}

/** @param linkKey the secret `LINK_KEY`. */
export function confirmationKeys(linkKey: Buffer): ConfirmationKeys {
  const signature = keyedHash(linkKey, 'confirm')
  const digits = keyedHash(linkKey, 'confirm-code')
  const sign = (addressId: string, time: string) =>
    addressId + signature(`${addressId} ${time}`) + time
  const code = (addressId: string, askedAt: Date) => {
    const hash = Buffer.from(digits(`${addressId} ${askedAt.toISOString()}`), 'base64url')
    return String(hash.readUIntBE(0, 6) % 1_000_000).padStart(6, '0')
  }
  return {
    sign: (addressId, askedAt) => sign(addressId, askedAt.getTime().toString(36)),
    code,
    read(token) {
      const [, addressId = '', time = ''] = TOKEN.exec(token) ?? []
      if (!addressId || !isEqual(token, sign(addressId, time))) return undefined
      return { addressId, askedAt: Number.parseInt(time, 36) }
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
