import { createPrivateKey, createPublicKey, hash, hkdfSync, sign, verify } from 'node:crypto'
import { keyedHash } from './address-id.ts'

/** The content of a code. The address of its reader is signed with it, but not in it. */
export interface SignedInvitation {
  /** 22 characters of base64url. */
  readonly id: string
  /** To the second. */
  readonly expiresAt: Date
}

/** The data of a new code. */
export interface NewInvitation extends SignedInvitation {
  /** The name of its letter. */
  readonly announcement: string
}

/**
 * Signs invitations with Ed25519. The address is signed, but not in the code: the code and an
 * address together show whether they belong to each other, and the code alone shows no address.
 */
export interface InvitationCodes {
  /** 43 characters of base64url, for the product that lets people in. */
  readonly publicKey: string
  /** @param email as `parseEmail` returns it. @returns the same code every time. */
  sign(invitation: NewInvitation, email: string): string
  /** A code that begins with `test-` and opens nothing, signed as such. */
  signTest(invitation: NewInvitation, email: string): string
  /** @returns `undefined` for a code that we did not sign for this address. It may have expired. */
  read(code: string, email: string): SignedInvitation | undefined
}

/**
 * The form of a code: one byte for the form, four for its end, sixteen for its id, more, and the
 * signature.
 */
interface Form {
  readonly byte: number
  /** Characters of base64url. Three bytes and one more end in one of `AQgw`, which no mail program cuts off. */
  readonly length: number
  readonly more: (announcement: string) => Buffer
  /** The prefix of the signed text, before the code's beginning and the address. */
  readonly signedFor: string
}

const ID_FROM = 5
const MORE_FROM = 21
const ANNOUNCEMENT_BYTES = 6
/** The bytes before the 32 bytes of a private key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The prefix of a test's code; no real code begins with it. */
export const TEST = 'test-'
/** The code in a preview. */
export const SAMPLE_CODE = `${TEST}an-invitation`

/**
 * Codes of 122 characters, signed for one product and one announcement, with a key derived for the
 * product: two products with one `INVITATION_KEY` refuse each other's codes.
 *
 * @param key 32 bytes, the setting `INVITATION_KEY`. @param product its `appId`.
 */
export function invitationCodes(key: Buffer, product: string): InvitationCodes {
  const own = hkdfSync('sha256', key, '', `opening-bell invitation ${product}`, key.length)
  return codesOf(Buffer.from(own), {
    byte: 2,
    length: 122,
    signedFor: `2 ${product}`,
    more: (announcement) => hash('sha256', announcement, 'buffer').subarray(0, ANNOUNCEMENT_BYTES),
  })
}

/** The former codes of 114 characters, for a list whose product has that public key. */
export function formerInvitationCodes(key: Buffer): InvitationCodes {
  return codesOf(key, { byte: 1, length: 114, signedFor: '', more: () => Buffer.alloc(0) })
}

function codesOf(key: Buffer, { byte, length, more, signedFor }: Form): InvitationCodes {
  const der = Buffer.concat([PKCS8, key])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey)
  const form = new RegExp(`^[\\w-]{${length}}$`)
  const beginningBytes = MORE_FROM + more('').length
  const textOf = (purpose: string, beginning: Buffer, email: string) =>
    [purpose, signedFor, beginning.toString('base64url'), email]
      .filter((one) => one !== '')
      .join(' ')

  const signed = (purpose: string, invitation: NewInvitation, email: string) => {
    const { id, expiresAt, announcement } = invitation
    const head = Buffer.alloc(MORE_FROM)
    head.writeUInt8(byte)
    head.writeUInt32BE(Math.floor(expiresAt.getTime() / 1000), 1)
    head.write(id, ID_FROM, 'base64url')
    const beginning = Buffer.concat([head, more(announcement)])
    const signature = sign(null, Buffer.from(textOf(purpose, beginning, email)), privateKey)
    return Buffer.concat([beginning, signature]).toString('base64url')
  }

  return {
    publicKey: publicKey.export({ format: 'jwk' }).x ?? '',
    sign: (invitation, email) => signed(REAL_PURPOSE, invitation, email),
    signTest: (invitation, email) => TEST + signed(TEST_PURPOSE, invitation, email),
    read(code, email) {
      if (!form.test(code)) return undefined
      const bytes = Buffer.from(code, 'base64url')
      // The last character has unused bits, but each code must have only one spelling.
      if (bytes[0] !== byte || bytes.toString('base64url') !== code) return undefined
      const [beginning, signature] = [
        bytes.subarray(0, beginningBytes),
        bytes.subarray(beginningBytes),
      ]
      const text = textOf(REAL_PURPOSE, beginning, email)
      if (!verify(null, Buffer.from(text), publicKey, signature)) return undefined
      const id = bytes.toString('base64url', ID_FROM, MORE_FROM)
      return { id, expiresAt: new Date(bytes.readUInt32BE(1) * 1000) }
    },
  }
}

const REAL_PURPOSE = 'opening-bell invitation'
const TEST_PURPOSE = 'opening-bell test invitation'

/**
 * The id of a subscriber's invitation by an announcement, the same each time.
 *
 * @param linkKey the secret `LINK_KEY`. @returns 22 characters of base64url.
 */
export function invitationIds(linkKey: Buffer) {
  const hash = keyedHash(linkKey, 'invitation')
  return (announcement: string, addressId: string) => hash(`${announcement} ${addressId}`)
}
