import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  createReadStream,
  openSync,
  readSync,
  statSync,
  truncateSync,
} from 'node:fs'

/*
 * The seal of a copy is its last line, behind the database, which SQLite does not read: a keyed hash of
 * all before it.
 */

/**
 * - `whole`: sealed with our key or encrypted with our passphrase, and as it was: only we can have made it.
 * - `wrong`: changed since, or not sealed with our key.
 * - `unknown`: there is no key here to check it with.
 */
export type SealState = 'whole' | 'wrong' | 'unknown'

const form = /^opening-bell seal [\w-]{43}\n$/
const LENGTH = 62

export async function sealFile(file: string, key: Buffer): Promise<void> {
  appendFileSync(file, await sealOf(file, key))
}

/** Takes the seal off a file of ours. */
export async function unseal(file: string, key: Buffer | undefined): Promise<SealState> {
  const length = Math.max(0, statSync(file).size - LENGTH)
  const seal = textAt(file, length, LENGTH)
  const isSealed = form.test(seal)
  if (isSealed) truncateSync(file, length)
  if (!key) return 'unknown'
  const ours = Buffer.from(await sealOf(file, key))
  return isSealed && timingSafeEqual(Buffer.from(seal), ours) ? 'whole' : 'wrong'
}

/** Some bytes of a file, each as a character. @throws the system's error */
export function textAt(file: string, from: number, length: number): string {
  const [handle, bytes] = [openSync(file, 'r'), Buffer.alloc(length)]
  try {
    return bytes.toString('latin1', 0, readSync(handle, bytes, 0, length, from))
  } finally {
    closeSync(handle)
  }
}

async function sealOf(file: string, key: Buffer): Promise<string> {
  const mac = createHmac('sha256', key).update('opening-bell copy\0')
  for await (const part of createReadStream(file, { highWaterMark: 1 << 20 })) mac.update(part)
  return `opening-bell seal ${mac.digest('base64url')}\n`
}
