import type { BackupRecord } from './backups.ts'
import type { Backups } from './store.ts'

const DAY_MS = 86_400_000
/** A night and a morning. */
const OLD_BACKUP_MS = 2 * DAY_MS
/** A week, and two days for the operator to react. */
const OLD_REHEARSAL_MS = 9 * DAY_MS

/** What is known of the copies, without those from the future: the clock was wrong. @throws StoreUnavailable */
export async function backupState(
  backups: Pick<Backups, 'record'>,
  now: Date,
): Promise<BackupRecord> {
  const record = await backups.record()
  return { ...record, kept: record.kept.filter(({ at }) => at <= now) }
}

const isOlder = (time: Date, ms: number, now: Date) => Number(now) - Number(time) > ms

/** A fault for the operator: no copies are made any more, or one could not be restored. */
export type BackupFault = 'stopped' | 'rehearsal-failed' | 'rehearsal-overdue'

/**
 * The one rule of `status`, the desk and the notices; missing copies come before a missing test.
 *
 * @param since since when copies are expected where none was ever made; left out, none are.
 */
export function backupFaults(
  { kept, rehearsal, goodRehearsal }: BackupRecord,
  now: Date,
  since = now,
): BackupFault[] {
  const [oldest, newest] = [kept[0], kept.at(-1)]
  const isOld = isOlder(newest?.at ?? since, OLD_BACKUP_MS, now)
  const hasFailed = rehearsal?.fault !== undefined
  const isOverdue = oldest && isOlder((goodRehearsal ?? oldest).at, OLD_REHEARSAL_MS, now)
  return [
    ...(isOld ? (['stopped'] as const) : []),
    ...(oldest && hasFailed ? (['rehearsal-failed'] as const) : []),
    ...(isOverdue && !hasFailed ? (['rehearsal-overdue'] as const) : []),
  ]
}
