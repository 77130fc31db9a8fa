import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { inDataFolder } from '../shared/data-folder.ts'
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
