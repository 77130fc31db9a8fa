import { createPrivateKey, createPublicKey } from 'node:crypto'
import { calculateJwkThumbprint, type JWTPayload, SignJWT } from 'jose'
import { keyedHash } from '../../keys/address-id.ts'

/** The bytes before the 32 bytes of a private key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Of a test: no product takes it. */
export const testAudience = (appId: string) => `${appId}:test`

/** Signs invitations as JWT with Ed25519. @param key 32 bytes, the setting `INVITATION_KEY` */
export function invitationCodes(key: Buffer) {
  const der = Buffer.concat([PKCS8, key])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey).export({ format: 'jwk' }).x ?? ''
  const header = jwkOf(publicKey).then(({ alg, kid }) => ({ alg, kid }))
  return {
    /** 43 characters of base64url. */
    publicKey,
    sign: async (claims: JWTPayload) =>
      new SignJWT(claims).setProtectedHeader(await header).sign(privateKey),
  }
}

/** The public key as a JWK (RFC 8037), with its thumbprint as its id. */
export async function jwkOf(publicKey: string) {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey }
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'EdDSA', use: 'sig' }
}

/** The id of a person's invitation by an announcement, the same each time: 22 characters of base64url. */
export function invitationIds(linkKey: Buffer) {
  const hash = keyedHash(linkKey, 'invitation')
  return (announcement: string, addressId: string) => hash(`${announcement} ${addressId}`)
}
