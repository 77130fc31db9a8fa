import { resolve } from 'node:path'
import type { Environment } from './variables.ts'

/** What `backup` reads from the environment beside what every command does. */
export interface BackupSettings {
  /** The folder of the copies that are kept by a rule; absolute. */
  readonly to: string | undefined
}

/** @param root where a relative `BACKUP_TO` begins, as `DATA_DIR` does. */
export function readBackupSettings(env: Environment, root: string): BackupSettings {
  const to = env.BACKUP_TO?.trim()
  return { to: to ? resolve(root, to) : undefined }
}
