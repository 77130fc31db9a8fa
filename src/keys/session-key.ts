import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inDataFolder } from '../shared/data-folder.ts'
import { takeFromOthers } from './kept-key.ts'

/**
 * How long a browser keeps its session, in seconds. A cookie that is "strictly necessary" may last
 * no longer than a visit. A page that is open for longer signs in again when the visitor submits.
 */
export const SESSION_S = 24 * 60 * 60

const KEY_BYTES = 32
const KEY = /^[\w-]{43}$/

/** Whether these bytes can be a `session.key`. */
export const isSessionKey = (bytes: Uint8Array): boolean =>
  KEY.test(Buffer.from(bytes).toString('latin1'))

/** The key that signs session cookies, made at the first start and readable by its owner only. */
export function readSessionKey(dataDir: string): string {
  const file = join(dataDir, inDataFolder.sessionKey)
  let key = existsSync(file) ? readFileSync(file, 'utf8') : ''
  // A truncated key is replaced. Visitors are then signed in again and do not notice.
  if (!KEY.test(key)) {
    key = randomBytes(KEY_BYTES).toString('base64url')
    writeFileSync(file, key, { mode: 0o600, flush: true })
  }
  takeFromOthers(file)
  return key
}
