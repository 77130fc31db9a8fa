import { commandLine } from '../product/command-line.ts'
import { backupFaults } from '../store/backup-state.ts'
import type { BackupRecord } from '../store/backups.ts'
import type { NoticeData } from '../store/notices.ts'

const HOUR_MS = 3_600_000

export interface WatchedBackups {
  /** @throws StoreUnavailable */
  readonly state: (now: Date) => Promise<BackupRecord>
  /** Whether the installed service makes them, and knows the folder. */
  readonly isService?: boolean
}

/**
 * Checks the back-ups as `status` does.
 *
 * @param since when the places for notices were opened. @returns the data of its notices, with a `why`
 *   where something is wrong.
 */
export function backupsFound(
  state: BackupRecord,
  isService: boolean,
  since: Date,
  now: Date,
): NoticeData {
  const last = state.kept.at(-1)?.at
  const [why] = backupFaults(state, now, since)
  const rehearse = why === 'stopped' ? '' : ' --rehearse'
  const command = commandLine(`backup${rehearse}${isService ? '' : ' --to=FOLDER'}`)
  return {
    last: last?.toISOString() ?? null,
    hours: Math.floor((now.getTime() - (last ?? since).getTime()) / HOUR_MS),
    ...(why && { why, command }),
  }
}

/** The back-ups in a day's notice. */
export function backupsOfDay({ kept, rehearsal, goodRehearsal }: BackupRecord): NoticeData {
  return {
    lastBackup: kept.at(-1)?.at.toISOString() ?? null,
    lastRehearsal: goodRehearsal?.at.toISOString() ?? null,
    ...(rehearsal?.fault !== undefined && { rehearsalFailed: rehearsal.at.toISOString() }),
  }
}
