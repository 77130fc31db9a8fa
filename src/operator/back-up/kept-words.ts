import { type BackupFault, type BackupState, backupFaults } from '../../store/backup-state.ts'
import { commandLine } from '../terminal/command-line.ts'
import { localTime } from '../terminal/words.ts'

/** A line for each thing about the back-ups that somebody has to look at. */
export function backupAlarms(state: BackupState, now: Date): string[] {
  return backupFaults(state, now).map((fault) => `LOOK: ${inWords[fault](state)}`)
}

const again = () => commandLine('backup --rehearse')

const inWords: Readonly<Record<BackupFault, (state: BackupState) => string>> = {
  stopped: ({ newestKept }) =>
    `the last back-up by the rule is of ${localTime(newestKept ?? new Date(0))}: they have stopped.`,
  'rehearsal-failed': ({ rehearsal }) =>
    `the back-up that was tried ${localTime(rehearsal?.at ?? new Date(0))} cannot be restored: ${rehearsal?.fault}. To try again: ${again()}`,
  'rehearsal-overdue': ({ goodRehearsal }) =>
    `no back-up was tried ${goodRehearsal ? `since ${localTime(goodRehearsal.at)}` : 'yet'}. To try the newest: ${again()}`,
}
