import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { inDataFolder } from '../shared/data-folder.ts'
import { isAnnouncingFrom } from './sqlite/list-file.ts'

export const LIST = inDataFolder.list

/** Whether there is a list in a data folder. */
export const isListIn = (dataDir: string) => existsSync(join(dataDir, LIST))

/** Whether an announcement from the list there is under way. */
export const isAnnouncing = (dataDir: string) =>
  isListIn(dataDir) && isAnnouncingFrom(join(dataDir, LIST))
