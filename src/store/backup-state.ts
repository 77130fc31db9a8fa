import type { Rehearsal } from './backups.ts'
import type { Backups } from './store.ts'

const DAY_MS = 86_400_000
/** A night and a morning. */
const OLD_BACKUP_MS = 2 * DAY_MS
/** Without copies by a rule, the operator makes them by hand. */
const OLD_BY_HAND_MS = 3 * DAY_MS
/** A week, and two days for the operator to react. */
const OLD_REHEARSAL_MS = 9 * DAY_MS

/** The state of the back-ups. */
export interface BackupState {
  /** When the last one was written, by a rule or not. */
  readonly last: Date | null
  /** The oldest and the newest of the copies that are kept by a rule. */
  readonly oldestKept: Date | undefined
  readonly newestKept: Date | undefined
  /** That rule, such as `7,4,12`. */
  readonly keep?: string | undefined
  readonly rehearsal: Rehearsal | undefined
  readonly goodRehearsal: Rehearsal | undefined
}

/** @throws StoreUnavailable */
export async function backupState(
  backups: Pick<Backups, 'record'>,
  now: Date,
): Promise<BackupState> {
  const record = await backups.record()
  // Copies from the future were made while the clock was wrong.
  const kept = record.kept.filter(({ at }) => at <= now)
  const [oldest, newest] = [kept[0], kept.at(-1)]
  const { last, rehearsal, goodRehearsal } = record
  const known = { oldestKept: oldest?.at, newestKept: newest?.at, keep: newest?.keep }
  return { last, ...known, rehearsal, goodRehearsal }
}

/** Whether the last back-up was made too long ago. One that was never made is not old. */
export function isBackupOld({ last, newestKept }: BackupState, now: Date): boolean {
  return newestKept ? isOlder(newestKept, OLD_BACKUP_MS, now) : isOldByHand(last, now)
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
export function backupFaults(state: BackupState, now: Date): BackupFault[] {
  const { oldestKept, newestKept, rehearsal, goodRehearsal } = state
  if (!oldestKept || !newestKept) return []
  const faults: BackupFault[] = []
  if (isBackupOld(state, now)) faults.push('stopped')
  if (rehearsal?.fault !== undefined) faults.push('rehearsal-failed')
  else if (isOlder(goodRehearsal?.at ?? oldestKept, OLD_REHEARSAL_MS, now))
    faults.push('rehearsal-overdue')
  return faults
}
