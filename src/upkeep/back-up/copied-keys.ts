import { existsSync, linkSync, lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inDataFolder } from '../../shared/data-folder.ts'
import type { CopiedKeys } from '../../store/backups.ts'
import { syncFolder } from '../../store/output-file.ts'

/** The keys of the data folder without which a restored list is not the same. */
const { linkKey, codeKey } = inDataFolder
const keyNames = [linkKey, codeKey] as const

/** The existing keys; with `LINK_KEY` in the environment, the operator keeps that one. */
export function keysOf(dataDir: string): Readonly<Record<string, Buffer>> {
  return Object.fromEntries(
    keyNames
      .filter((name) => lstatSync(join(dataDir, name), { throwIfNoEntry: false })?.isFile())
      .map((name) => [name, readFileSync(join(dataDir, name))]),
  )
}

/**
 * Puts keys into a folder without them, each whole or not at all. An existing key is never replaced: its
 * signatures and ids would be lost.
 *
 * @param scratch a folder of ours on the same disk. @returns the names of those that were put there.
 */
export function putKeys(dataDir: string, keys: CopiedKeys, scratch: string): string[] {
  const missing = Object.entries(keys).filter(([name]) => !existsSync(join(dataDir, name)))
  for (const [name, bytes] of missing) {
    writeFileSync(join(scratch, name), bytes, { mode: 0o600, flush: true })
    // Unlike a rename, this fails if there is one by now.
    linkSync(join(scratch, name), join(dataDir, name))
  }
  syncFolder(dataDir)
  return missing.map(([name]) => name)
}
