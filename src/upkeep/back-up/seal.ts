import { createHash } from 'node:crypto'
import { appendFileSync, closeSync, openSync, readSync, statSync, truncateSync } from 'node:fs'
import { checkSeal, type SealState, sealWith } from '../../keys/seal-key.ts'

/*
 * The seal of a copy is its last line, behind the database, which SQLite does not read.
 */

const form = /^opening-bell seal ([\w-]{22}) ([\w-]{43})\n$/
const LENGTH = 85
const CHUNK = 1 << 20

/** @param key left out, there is no seal. @returns the SHA-256 of the copy, in hexadecimal. */
export function sealFile(file: string, key: Buffer | undefined): string {
  const digest = digestOf(file, statSync(file).size)
  if (key) {
    const { keyId, mac } = sealWith(key, digest)
    appendFileSync(file, `opening-bell seal ${keyId} ${Buffer.from(mac).toString('base64url')}\n`)
  }
  return digest.toString('hex')
}

export interface Unsealed {
  readonly seal: SealState
  readonly digest: string
}

/** Takes the seal off a file of ours. */
export function unseal(file: string, key: Buffer | undefined): Unsealed {
  const length = Math.max(0, statSync(file).size - LENGTH)
  const [, keyId, mac] = form.exec(endOf(file, length)) ?? []
  const seal =
    keyId && mac ? { keyId, mac: new Uint8Array(Buffer.from(mac, 'base64url')) } : undefined
  if (seal) truncateSync(file, length)
  const digest = digestOf(file, statSync(file).size)
  return { seal: checkSeal(seal, key, digest), digest: digest.toString('hex') }
}

function endOf(file: string, from: number): string {
  const [handle, end] = [openSync(file, 'r'), Buffer.alloc(LENGTH)]
  try {
    return end.toString('latin1', 0, readSync(handle, end, 0, LENGTH, from))
  } finally {
    closeSync(handle)
  }
}

function digestOf(file: string, length: number): Buffer {
  const [hash, handle, part] = [createHash('sha256'), openSync(file, 'r'), Buffer.alloc(CHUNK)]
  try {
    for (let at = 0; at < length; ) {
      const read = readSync(handle, part, 0, Math.min(CHUNK, length - at), at)
      if (read === 0) break
      hash.update(part.subarray(0, read))
      at += read
    }
    return hash.digest()
  } finally {
    closeSync(handle)
  }
}
