import { createHmac, timingSafeEqual } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { inDataFolder } from '../shared/data-folder.ts'
import { keyedHash } from './address-id.ts'
import { keptKey, makeKey } from './kept-key.ts'

/*
 * The key that seals copies. No copy holds it: an attacker who can write to the folder of copies
 * can make a copy with every other key, but no seal.
 */

export const SEAL_KEY = inDataFolder.sealKey

/** The key of a data folder, where there is one. @throws when it cannot be read, or is broken. */
export function sealKeyIn(dataDir: string): Buffer | undefined {
  return existsSync(join(dataDir, SEAL_KEY)) ? keptKey(dataDir, SEAL_KEY) : undefined
}

/** The same, made where there is none. */
export function keptSealKey(dataDir: string): { readonly key: Buffer; readonly isNew: boolean } {
  const isNew = makeKey(dataDir, SEAL_KEY)
  return { key: keptKey(dataDir, SEAL_KEY), isNew }
}

/** The seal of a copy: the id of the key, and a proof that the copy has not changed. */
export interface Seal {
  /** 22 characters of base64url, which reveal nothing of the key. */
  readonly keyId: string
  readonly mac: Uint8Array
}

/**
 * - `whole`: sealed with our key, and as it was.
 * - `wrong`: sealed with our key, and changed since.
 * - `other`: sealed with another key.
 * - `unknown`: there is a seal, and no key here to check it with.
 * - `none`: there is no seal.
 */
export type SealState = 'whole' | 'wrong' | 'other' | 'unknown' | 'none'

/** @param digest of everything that is read of the copy. */
export function sealWith(key: Buffer, digest: Uint8Array): Seal {
  return { keyId: keyedHash(key, 'seal-id')(''), mac: macOf(key, digest) }
}

export function checkSeal(
  seal: Seal | undefined,
  key: Buffer | undefined,
  digest: Uint8Array,
): SealState {
  if (!seal) return 'none'
  if (!key) return 'unknown'
  const ours = sealWith(key, digest)
  if (seal.keyId !== ours.keyId) return 'other'
  const isSame = seal.mac.length === ours.mac.length && timingSafeEqual(seal.mac, ours.mac)
  return isSame ? 'whole' : 'wrong'
}

const macOf = (key: Buffer, digest: Uint8Array) =>
  createHmac('sha256', key).update('opening-bell copy\0').update(digest).digest()
