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
import { BESIDE_LIST, inDataFolder } from '../../shared/data-folder.ts'
import type { CopiedKeys } from '../../store/backups.ts'
import { makeNew, syncFolder } from '../../store/output-file.ts'

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
 * Puts keys into a folder without them. An existing key is never replaced: its signatures and ids would
 * be lost.
 *
 * @returns the names of those that were put there.
 */
export function putKeys(dataDir: string, keys: CopiedKeys): string[] {
  const missing = Object.entries(keys).filter(([name]) => !existsSync(join(dataDir, name)))
  for (const [name, bytes] of missing) putNew(dataDir, name, bytes)
  return missing.map(([name]) => name)
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
