import type { BackupRecord } from './backups.ts'
import type { Backups } from './store.ts'

const DAY_MS = 86_400_000
/** A night and a morning. */
const OLD_BACKUP_MS = 2 * DAY_MS
/** Without copies by a rule, the operator makes them by hand. */
const OLD_BY_HAND_MS = 3 * DAY_MS
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

/** Whether the last back-up was made too long ago. One that was never made is not old. */
export function isBackupOld({ last, kept }: BackupRecord, now: Date): boolean {
  const newest = kept.at(-1)
  return newest ? isOlder(newest.at, OLD_BACKUP_MS, now) : isOldByHand(last, now)
}

/** The same, as if no copies were made by a rule. */
export function isOldByHand(last: Date | null, now: Date): boolean {
  return last !== null && Number(now) - Number(last) >= OLD_BY_HAND_MS
}

const isOlder = (time: Date, ms: number, now: Date) => Number(now) - Number(time) > ms

/** A fault for the operator: no copies are made any more, or one could not be restored. */
export type BackupFault = 'stopped' | 'rehearsal-failed' | 'rehearsal-overdue'

/**
 * The one rule of `status`, the desk and the notices. Where no copies are kept by a rule, none are
 * expected.
 */
export function backupFaults(state: BackupRecord, now: Date): BackupFault[] {
  const { kept, rehearsal, goodRehearsal } = state
  const [oldest] = kept
  if (!oldest) return []
  const isOverdue = isOlder((goodRehearsal ?? oldest).at, OLD_REHEARSAL_MS, now)
  return [
    ...(isBackupOld(state, now) ? (['stopped'] as const) : []),
    ...(rehearsal?.fault !== undefined
      ? (['rehearsal-failed'] as const)
      : isOverdue
        ? (['rehearsal-overdue'] as const)
        : []),
  ]
}
