import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const KEY_BYTES = 32
const KEY = /^[\w-]{43}$/

/** The key that signs session cookies, made at the first start and readable by its owner only. */
export function readSessionKey(dataDir: string): string {
  const file = join(dataDir, 'session.key')
  let key = existsSync(file) ? readFileSync(file, 'utf8') : ''
  // A key cut short is replaced: all it costs is that visitors sign in again, unseen.
  if (!KEY.test(key)) {
    key = randomBytes(KEY_BYTES).toString('base64url')
    writeFileSync(file, key, { mode: 0o600, flush: true })
  }
  // A copy or a restored backup may have come with wider rights.
  chmodSync(file, 0o600)
  return key
}
