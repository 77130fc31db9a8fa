import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const KEY_BYTES = 32

/** Whether these bytes can be such a key. */
export const isKept = (bytes: Uint8Array): boolean => bytes.length === KEY_BYTES

const ENCODED = 'base64:'

/** Reads such a key from a setting. @returns `undefined` for no key. */
export function parseKept(setting: string): Buffer | undefined {
  const text = setting.startsWith(ENCODED) ? setting.slice(ENCODED.length) : setting
  const key = Buffer.from(text, 'base64')
  // Node ignores characters that are not base64, and a key that lost one would be another key.
  return isKept(key) && key.toString('base64') === text ? key : undefined
}

/**
 * A secret of 32 random bytes in a file that only its owner can read, made when first needed.
 *
 * @throws when it cannot be read or made. A broken key is never replaced: its signatures would be
 *   lost.
 */
export function keptKey(dataDir: string, name: string): Buffer {
  makeKey(dataDir, name)
  return readKey(dataDir, name)
}

/** @returns whether it was made: another process may have made it meanwhile, or long ago. */
export function makeKey(dataDir: string, name: string): boolean {
  try {
    const [file, key] = [join(dataDir, name), randomBytes(KEY_BYTES)]
    writeFileSync(file, key, { mode: 0o600, flag: 'wx', flush: true })
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
    return false
  }
}

/** Puts a new key in the place of one, or of none; a crash leaves one of them. */
export function replaceKey(dataDir: string, name: string): void {
  const file = join(dataDir, name)
  writeFileSync(`${file}.new`, randomBytes(KEY_BYTES), { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
}

/** A copied or restored file may have wider permissions. One of another user is that user's to change. */
function takeFromOthers(file: string): void {
  try {
    chmodSync(file, 0o600)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EPERM') throw cause
  }
}

function readKey(dataDir: string, name: string): Buffer {
  const file = join(dataDir, name)
  takeFromOthers(file)
  const key = readFileSync(file)
  if (!isKept(key))
    throw new Error(
      `${file} is not the key that was made there; put that one back from your back-up`,
    )
  return key
}
