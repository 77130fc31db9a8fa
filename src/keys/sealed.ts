import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const [NONCE, TAG] = [12, 16]

/** In base64url, another text each time. */
export function sealed(key: KeyObject, plain: Uint8Array): string {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv(CIPHER, key, nonce)
  const bytes = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), bytes]).toString('base64url')
}

/** @returns nothing for a text that was not sealed with this key. */
export function unsealed(key: KeyObject, text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < NONCE + TAG) return undefined
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE))
  decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
  const plain = decipher.update(bytes.subarray(NONCE + TAG))
  try {
    return Buffer.concat([plain, decipher.final()])
  } catch {
    return undefined
  }
}
