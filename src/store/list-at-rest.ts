import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { inDataFolder } from '../shared/data-folder.ts'
import { isAnnouncingFrom, isKeptWithKey } from './sqlite/list-file.ts'
import { StoreMismatch } from './subscriber-store.ts'

export const LIST = inDataFolder.list

/** Whether there is a list in a data folder. */
export const isListIn = (dataDir: string) => existsSync(join(dataDir, LIST))

/** Whether an announcement from the list there is under way. */
export const isAnnouncing = (dataDir: string) =>
  isListIn(dataDir) && isAnnouncingFrom(join(dataDir, LIST))

/**
 * Whether a list there needs its `link.key`, and has none. Of one that is no list it is said when it is
 * opened; one that is not whole may need it.
 */
export function isKeyGone(dataDir: string): boolean {
  if (!isListIn(dataDir) || existsSync(join(dataDir, inDataFolder.linkKey))) return false
  try {
    return isKeptWithKey(join(dataDir, LIST))
  } catch (cause) {
    return cause instanceof StoreMismatch
  }
}
