import { commandLine } from '../product/command-line.ts'
import { alarmRule } from '../store/alarm.ts'
import { type BackupState, backupFaults, isOldByHand } from '../store/backup-state.ts'
import type { NoticeData } from '../store/notices.ts'
import type { Notices } from '../store/store.ts'

const HOUR_MS = 3_600_000

export interface WatchedBackups {
  /** @throws StoreUnavailable */
  readonly state: (now: Date) => Promise<BackupState>
  /** Whether the installed service makes them; otherwise the operator does by hand. */
  readonly isService?: boolean
}

/**
 * Checks the back-ups as `status` does.
 *
 * @param since when the places for notices were opened. @throws StoreUnavailable
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
  // Without any back-up, the places for notices are the beginning.
  const isOld = isOldByHand(last ?? since, now)
  // An operator who makes copies by hand may have changed the way; those of the service must go on.
  const faults = backupFaults(state, now).filter((one) => one !== 'stopped' || isService || isOld)
  // Missing copies come before a missing test.
  const why = newestKept ? faults[0] : isOld ? 'old' : undefined
  const oldest = why === 'stopped' ? newestKept : last
  const data = {
    last: last?.toISOString() ?? null,
    hours: hoursSince(oldest ?? since),
    ...(why && { why, command: commandFor(why, keep, isService) }),
  }
  const rule = alarmRule({ kind: 'backup', isWrong: why !== undefined, data, now })
  // An alarm for one reason does not suppress another.
  await notices.changeAlarm('backup', (known) =>
    rule(why && known?.isOn && (known.data.why ?? 'old') !== why ? undefined : known),
  )
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
export function backupsOfDay({ last, rehearsal, goodRehearsal }: BackupState): NoticeData {
  return {
    lastBackup: last?.toISOString() ?? null,
    lastRehearsal: goodRehearsal?.at.toISOString() ?? null,
    ...(rehearsal?.fault !== undefined && { rehearsalFailed: rehearsal.at.toISOString() }),
  }
}
