import { commandLine } from '../product/command-line.ts'
import { alarmRule } from '../store/alarm.ts'
import { type BackupState, backupFaults } from '../store/backup-state.ts'
import type { NoticeData, Notices } from '../store/notices.ts'

/** Where no copies are kept by a rule, the last back-up is old after so many hours; without any, so long after somebody is told. */
export const OLDEST_BACKUP_HOURS = 72

const HOUR_MS = 3_600_000

export interface WatchedBackups {
  /** @throws StoreUnavailable */
  readonly state: (now: Date) => Promise<BackupState>
  /** Whether the installed service makes them; otherwise somebody runs the tool by hand. */
  readonly isService?: boolean
}

/**
 * Looks at the back-ups by the rule that `status` has for those which are kept by a rule.
 *
 * @param since when somebody is told of anything. @throws StoreUnavailable
 */
export async function watchBackups(
  notices: Pick<Notices, 'changeAlarm'>,
  { state: stateOf, isService = false }: WatchedBackups,
  since: Date,
  now: Date,
): Promise<void> {
  const state = await stateOf(now)
  const { last, newestKept, keep } = state
  const hoursSince = (time: Date) => Math.floor((now.getTime() - time.getTime()) / HOUR_MS)
  const isOld = hoursSince(last ?? since) >= OLDEST_BACKUP_HOURS
  // Whoever makes copies by hand may have taken to others; those of the service are to go on.
  const faults = backupFaults(state, now).filter((one) => one !== 'stopped' || isService || isOld)
  // Rather the copies that are not made than the one that was not tried.
  const why = newestKept ? faults[0] : isOld ? 'old' : undefined
  const oldest = why === 'stopped' ? newestKept : last
  const data = {
    last: last?.toISOString() ?? null,
    hours: hoursSince(oldest ?? since),
    ...(why && { why, command: commandFor(why, keep, isService) }),
  }
  const rule = alarmRule({ kind: 'backup', isWrong: why !== undefined, data, now })
  // One reason does not keep another from being told.
  await notices.changeAlarm('backup', (known) =>
    rule(why && known?.isOn && (known.data.why ?? 'old') !== why ? undefined : known),
  )
}

function commandFor(why: string, keep: string | undefined, isService: boolean): string {
  const to = isService ? '' : ' --to=FOLDER'
  if (why.startsWith('rehearsal')) return commandLine(`backup --rehearse${to}`)
  // A copy of another form than those that are kept would lack the keys.
  if (keep) return commandLine(`backup --keep ${keep}${to}`)
  return isService
    ? 'sudo systemctl start opening-bell-backup'
    : commandLine('backup --output=FILE')
}

/** What a day's notice says of the back-ups. */
export function backupsOfDay({ last, rehearsal, goodRehearsal }: BackupState): NoticeData {
  return {
    lastBackup: last?.toISOString() ?? null,
    lastRehearsal: goodRehearsal?.at.toISOString() ?? null,
    ...(rehearsal?.fault !== undefined && { rehearsalFailed: rehearsal.at.toISOString() }),
  }
}
