import { commandLine } from '../product/command-line.ts'
import { backupFaults, isOldByHand } from '../store/backup-state.ts'
import type { BackupRecord } from '../store/backups.ts'
import type { NoticeData } from '../store/notices.ts'

const HOUR_MS = 3_600_000

export interface WatchedBackups {
  /** @throws StoreUnavailable */
  readonly state: (now: Date) => Promise<BackupRecord>
  readonly isService?: boolean
}

/**
 * Checks the back-ups as `status` does.
 *
 * @param isService whether the installed service makes them; otherwise the operator does by hand.
 * @param since when the places for notices were opened. @returns the data of its notices, with a `why`
 *   where something is wrong.
 */
export function backupsFound(
  state: BackupRecord,
  isService: boolean,
  since: Date,
  now: Date,
): NoticeData {
  const { last, kept } = state
  const newest = kept.at(-1)
  // Without any back-up, the places for notices are the beginning.
  const isOld = isOldByHand(last ?? since, now)
  // An operator who makes copies by hand may have changed the way; those of the service must go on.
  const faults = backupFaults(state, now).filter((one) => one !== 'stopped' || isService || isOld)
  // Missing copies come before a missing test.
  const why = newest ? faults[0] : isOld ? 'old' : undefined
  const oldest = (why === 'stopped' ? newest?.at : last) ?? since
  return {
    last: last?.toISOString() ?? null,
    hours: Math.floor((now.getTime() - oldest.getTime()) / HOUR_MS),
    ...(why && { why, command: commandFor(why, newest?.keep, isService) }),
  }
}

function commandFor(why: string, keep: string | undefined, isService: boolean): string {
  const to = isService ? '' : ' --to=FOLDER'
  if (why.startsWith('rehearsal')) return commandLine(`backup --rehearse${to}`)
  // A copy by `--output` would lack the keys.
  if (keep) return commandLine(`backup --keep ${keep}${to}`)
  return isService
    ? 'sudo systemctl start opening-bell-backup'
    : commandLine('backup --output=FILE')
}

/** The back-ups in a day's notice. */
export function backupsOfDay({ last, rehearsal, goodRehearsal }: BackupRecord): NoticeData {
  return {
    lastBackup: last?.toISOString() ?? null,
    lastRehearsal: goodRehearsal?.at.toISOString() ?? null,
    ...(rehearsal?.fault !== undefined && { rehearsalFailed: rehearsal.at.toISOString() }),
  }
}
