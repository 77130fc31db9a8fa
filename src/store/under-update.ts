import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BESIDE_LIST } from '../shared/data-folder.ts'

/** While it is there, an update tries a new version on the list: only that and a closed server open it. */
export const updateMark = (dataDir: string) => join(dataDir, `${BESIDE_LIST}update`)

/** The list as it was before that, for the version before. */
export const keptList = (dataDir: string) => join(dataDir, `${BESIDE_LIST}before-update.sqlite`)

export const isUnderUpdate = (dataDir: string) => existsSync(updateMark(dataDir))
