import { createHash } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  createReadStream,
  openSync,
  readSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { checkSeal, type SealState, sealWith } from '../../keys/seal-key.ts'

/*
 * The seal of a copy is its last line, behind the database, which SQLite does not read.
 */

const form = /^opening-bell seal ([\w-]{22}) ([\w-]{43})\n$/
const LENGTH = 85

export async function sealFile(file: string, key: Buffer): Promise<void> {
  const { keyId, mac } = sealWith(key, await digestOf(file))
  appendFileSync(file, `opening-bell seal ${keyId} ${Buffer.from(mac).toString('base64url')}\n`)
}

/** Takes the seal off a file of ours. */
export async function unseal(file: string, key: Buffer | undefined): Promise<SealState> {
  const length = Math.max(0, statSync(file).size - LENGTH)
  const [, keyId, text] = form.exec(textAt(file, length, LENGTH)) ?? []
  const seal = keyId && text ? { keyId, mac: Buffer.from(text, 'base64url') } : undefined
  if (seal) truncateSync(file, length)
  return checkSeal(seal, key, await digestOf(file))
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

async function digestOf(file: string): Promise<Buffer> {
  const hash = createHash('sha256')
  for await (const part of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(part)
  return hash.digest()
}
