import { join } from 'node:path'
import { BESIDE_LIST } from '../shared/data-folder.ts'

/*
 * A list as a file, for an update of the program: it may be of another version than ours, and
 * reading it does not migrate it.
 */

/**
 * Where an update tries the new version on a copy, which is erased afterwards and so is no back-up.
 */
export const updateScratch = (dataDir: string) => join(dataDir, `${BESIDE_LIST}update`)

export interface ListLook {
  /** The version of its schema. */
  readonly version: number
  readonly subscribers: number
  /** SHA-256 over all subscribers with the times of their sign-ups. */
  readonly digest: string
  /** Whether an announcement is under way. */
  readonly isAnnouncing: boolean
}
