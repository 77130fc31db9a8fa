import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { keyedHash } from './address-id.ts'

/** What an invitation says: whose it is is signed with it, and stands nowhere in it. */
export interface SignedInvitation {
  /** 22 characters of base64url. */
  readonly id: string
  /** To the second. */
  readonly expiresAt: Date
}

/**
 * Signs invitations with Ed25519. A code is 114 characters of base64url: a byte that says how it is
 * made, four for when it expires, sixteen for its id, and the signature. The address is signed, but
 * not in it: whoever has the code and an address can tell whether they belong together, and nobody
 * can read an address off it.
 */
export interface InvitationCodes {
  /** 43 characters of base64url, for the product that lets people in. */
  readonly publicKey: string
  /** @param email as `parseEmail` returns it. @returns the same code every time. */
  sign(invitation: SignedInvitation, email: string): string
  /** One that begins with `test-` and opens nothing, signed as such. */
  signTest(invitation: SignedInvitation, email: string): string
  /** @returns `undefined` for what we did not sign for this address; it may have expired. */
  read(code: string, email: string): SignedInvitation | undefined
}

const FORM = 1
const BEGINNING = 21
const SIGNED_FROM = 28
const CODE = /^[\w-]{114}$/
/** What stands before the 32 bytes of a private key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** What the code of a test begins with, which none of a real one does. */
export const TEST = 'test-'
/** What stands in a letter that is only looked at. */
export const SAMPLE_CODE = `${TEST}an-invitation`

/** @param key 32 bytes, the setting `INVITATION_KEY`. */
export function invitationCodes(key: Buffer): InvitationCodes {
  const privateKey = createPrivateKey({
    ...{ key: Buffer.concat([PKCS8, key]), format: 'der', type: 'pkcs8' },
  })
  const publicKey = createPublicKey(privateKey)

  const signed = (purpose: string, { id, expiresAt }: SignedInvitation, email: string) => {
    const beginning = Buffer.alloc(BEGINNING)
    beginning.writeUInt8(FORM)
    beginning.writeUInt32BE(Math.floor(expiresAt.getTime() / 1000), 1)
    beginning.write(id, 5, 'base64url')
    const text = `${purpose} ${beginning.toString('base64url')} ${email}`
    return Buffer.concat([beginning, sign(null, Buffer.from(text), privateKey)]).toString(
      'base64url',
    )
  }

  return {
    publicKey: publicKey.export({ format: 'jwk' }).x ?? '',
    sign: (invitation, email) => signed(REAL_PURPOSE, invitation, email),
    signTest: (invitation, email) => TEST + signed(TEST_PURPOSE, invitation, email),
    read(code, email) {
      if (!CODE.test(code)) return undefined
      const bytes = Buffer.from(code, 'base64url')
      // The last character has bits that no byte takes: one code has one way to be written.
      if (bytes[0] !== FORM || bytes.toString('base64url') !== code) return undefined
      const text = `${REAL_PURPOSE} ${code.slice(0, SIGNED_FROM)} ${email}`
      if (!verify(null, Buffer.from(text), publicKey, bytes.subarray(BEGINNING))) return undefined
      const id = bytes.toString('base64url', 5, BEGINNING)
      return { id, expiresAt: new Date(bytes.readUInt32BE(1) * 1000) }
    },
  }
}

const REAL_PURPOSE = 'opening-bell invitation'
const TEST_PURPOSE = 'opening-bell test invitation'

/**
 * Names the one invitation that somebody gets by an announcement, however often it is signed.
 *
 * @param linkKey the secret `LINK_KEY`. @returns 22 characters of base64url.
 */
export function invitationIds(linkKey: Buffer) {
  const hash = keyedHash(linkKey, 'invitation')
  return (announcement: string, addressId: string) => hash(`${announcement} ${addressId}`)
}
