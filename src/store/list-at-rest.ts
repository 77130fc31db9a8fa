import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { inDataFolder } from '../shared/data-folder.ts'
import type { ListLook } from './list-file.ts'
import { lookAtFile } from './sqlite/list-file.ts'
import { newestVersion } from './sqlite/versions.ts'

/*
 * What an update asks of a list before anything opens it. It asks in processes of their own, which
 * would take twice as long with the code of a whole store.
 */

export const LIST = inDataFolder.list

/** Whether there is a list in a data folder. */
export const isListIn = (dataDir: string) => existsSync(join(dataDir, LIST))

/** Looks into a list of any release. @returns `undefined` where there is none. */
export function lookAtList(dataDir: string): ListLook | undefined {
  const file = join(dataDir, LIST)
  return existsSync(file) ? lookAtFile(file) : undefined
}

/** The version of the lists that this program writes. */
export const newestListVersion = newestVersion
