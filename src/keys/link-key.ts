import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { KEY_RULE, parseKey } from './secret-key.ts'

const KEY_BYTES = 32
const ENCODED = 'base64:'

export const LINK_KEY_RULE = `${KEY_RULE}, or "${ENCODED}" and what "base64 -w0 link.key" prints`

/**
 * Reads the setting `LINK_KEY`: characters as they are, or the bytes of a `link.key` in base64.
 *
 * @returns `null` when it is not set, `undefined` when it is too short.
 */
export function parseLinkKey(setting: string): Buffer | null | undefined {
  if (setting.startsWith(ENCODED)) {
    const key = Buffer.from(setting.slice(ENCODED.length), 'base64')
    return key.length >= KEY_BYTES ? key : undefined
  }
  const key = parseKey(setting)
  return key ? Buffer.from(key) : (key as null | undefined)
}

/** Whether these bytes can be a `link.key`. */
export const isLinkKey = (bytes: Uint8Array): boolean => bytes.length === KEY_BYTES

/**
 * The secret that signs unsubscribe links and names addresses, for server and operator on one
 * machine: made when first needed, readable by its owner only.
 *
 * @throws when it cannot be read or made. A broken one is never replaced: with another key, nobody
 *   who unsubscribed would be recognised.
 */
export function keptLinkKey(dataDir: string): Buffer {
  const file = join(dataDir, 'link.key')
  try {
    // Another process may have made it meanwhile.
    writeFileSync(file, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx', flush: true })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
  }
  chmodSync(file, 0o600)
  const key = readFileSync(file)
  if (!isLinkKey(key))
    throw new Error(`${file} is not the key that was made there; put it back from your backup`)
  return key
}
