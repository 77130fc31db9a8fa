import { alarmRule } from '../../store/alarm.ts'
import { type BackupState, backupFaults } from '../../store/backup-state.ts'
import type { NoticeData, Notices } from '../../store/notices.ts'

/** Where no copies are kept by a rule, the last back-up is old after so many hours; without any, so long after somebody is told. */
export const OLDEST_BACKUP_HOURS = 72

const HOUR_MS = 3_600_000

export interface WatchedBackups {
  /** @throws StoreUnavailable */
  readonly state: (now: Date) => Promise<BackupState>
  /** How the installed service calls the operator's tool; left out where somebody runs it by hand. */
  readonly asService?: string | undefined
}

/**
 * Looks at the back-ups by the rule that `status` has for those which are kept by a rule.
 *
 * @param since when somebody is told of anything. @throws StoreUnavailable
 */
export async function watchBackups(
  store: Pick<Notices, 'changeAlarm'>,
  { state: stateOf, asService }: WatchedBackups,
  since: Date,
  now: Date,
): Promise<void> {
  const state = await stateOf(now)
  const { last, newestKept, keep } = state
  const hoursSince = (time: Date) => Math.floor((now.getTime() - time.getTime()) / HOUR_MS)
  const isOld = hoursSince(last ?? since) >= OLDEST_BACKUP_HOURS
  // Whoever makes copies by hand may have taken to others; those of the service are to go on.
  const faults = backupFaults(state, now).filter((one) => one !== 'stopped' || asService || isOld)
  // Rather the copies that are not made than the one that was not tried.
  const why = newestKept ? faults[0] : isOld ? 'old' : undefined
  const oldest = why === 'stopped' ? newestKept : last
  const data = {
    ...{ last: last?.toISOString() ?? null, hours: hoursSince(oldest ?? since) },
    ...(why && { why, command: commandFor(why, keep, asService) }),
  }
  const rule = alarmRule({ kind: 'backup', isWrong: why !== undefined, data, now })
  // One reason does not keep another from being told.
  await store.changeAlarm('backup', (known) =>
    rule(why && known?.isOn && (known.data.why ?? 'old') !== why ? undefined : known),
  )
}

function commandFor(why: string, keep: string | undefined, asService: string | undefined): string {
  const tool = asService || 'bin/opening-bell'
  const to = asService ? '' : ' --to=FOLDER'
  if (why.startsWith('rehearsal')) return `${tool} backup --rehearse${to}`
  // A copy of another form than those that are kept would lack the keys.
  if (keep) return `${tool} backup --keep ${keep}${to}`
  return asService ? 'sudo systemctl start opening-bell-backup' : `${tool} backup --output=FILE`
}

/** What a day's notice says of the back-ups. */
export function backupsOfDay({ last, rehearsal, goodRehearsal }: BackupState): NoticeData {
  return {
    lastBackup: last?.toISOString() ?? null,
    lastRehearsal: goodRehearsal?.at.toISOString() ?? null,
    ...(rehearsal?.fault !== undefined && { rehearsalFailed: rehearsal.at.toISOString() }),
  }
}
