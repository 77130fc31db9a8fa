import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { SEAL_KEY } from '../../keys/seal-key.ts'
import { BESIDE_LIST, inDataFolder } from '../../shared/data-folder.ts'
import type { CopiedKeys } from '../../store/backups.ts'
import { makeNew, syncFolder } from '../../store/output-file.ts'
import { refused } from '../refusal.ts'

/** The keys of the data folder without which a restored list is not the same. */
const { linkKey, sessionKey, invitationKey } = inDataFolder
const keyNames = [linkKey, sessionKey, invitationKey] as const

/** The existing keys; with `LINK_KEY` in the environment, the operator keeps that one. */
export function keysOf(dataDir: string): CopiedKeys {
  return Object.fromEntries(
    keyNames
      .filter((name) => lstatSync(join(dataDir, name), { throwIfNoEntry: false })?.isFile())
      .map((name) => [name, readFileSync(join(dataDir, name))]),
  )
}

/**
 * Puts the keys of a copy into a folder without keys, before others are made. An existing key is
 * never replaced: its signatures and ids would be lost.
 *
 * @param set those that the environment sets, which count instead of the files.
 * @returns the names of those that were put back. @throws Refused for another link.key
 */
export function putKeysBack(dataDir: string, copied: CopiedKeys, set: readonly string[]): string[] {
  const there = keysOf(dataDir)
  const wanted = keyNames.filter((name) => !set.includes(name))
  const isOther = (name: string) =>
    there[name] && copied[name] && !Buffer.from(copied[name]).equals(there[name])
  if (wanted.includes('link.key') && isOther('link.key'))
    throw refused({ code: 'other-link-key', dataDir })
  const missing = wanted.filter((name) => !there[name] && copied[name])
  for (const name of missing) putNew(dataDir, name, copied[name] ?? new Uint8Array())
  return missing
}

/**
 * @returns the key that a copy must match before any is put back: its own, else the existing one,
 *   else a random one, which only a copy without a known key matches.
 */
export function linkKeyOfCopy(dataDir: string, copied: CopiedKeys): Buffer {
  return Buffer.from(copied['link.key'] ?? keysOf(dataDir)['link.key'] ?? randomBytes(32))
}

/** @returns the key to check a copy with if there is none yet, so that none is made. */
export function linkKeyForLook(dataDir: string, copied: CopiedKeys): Buffer | undefined {
  return 'link.key' in keysOf(dataDir) ? undefined : linkKeyOfCopy(dataDir, copied)
}

/** Keeps the key that sealed a copy, so that the next copies have the same seal. */
export function putSealKey(dataDir: string, key: Buffer): string[] {
  if (existsSync(join(dataDir, SEAL_KEY))) return []
  putNew(dataDir, SEAL_KEY, key)
  return [SEAL_KEY]
}

/** Writes a file as a whole or not at all, and never replaces another. */
function putNew(dataDir: string, name: string, bytes: Uint8Array) {
  const unfinished = join(dataDir, `${BESIDE_LIST}backup-${randomBytes(4).toString('hex')}.part`)
  const handle = makeNew(unfinished)
  try {
    writeSync(handle, bytes)
    fsyncSync(handle)
    // Unlike a rename, this fails if there is one by now.
    linkSync(unfinished, join(dataDir, name))
  } finally {
    closeSync(handle)
    rmSync(unfinished, { force: true })
  }
  syncFolder(dataDir)
}
