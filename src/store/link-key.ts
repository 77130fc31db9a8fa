import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const KEY_BYTES = 32

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
    // Whoever comes second finds it made.
    writeFileSync(file, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx', flush: true })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
  }
  chmodSync(file, 0o600)
  const key = readFileSync(file)
  if (key.length !== KEY_BYTES)
    throw new Error(`${file} is not the key that was made there; put it back from your backup`)
  return key
}
