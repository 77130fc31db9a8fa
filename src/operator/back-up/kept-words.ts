import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type BackupFault, type BackupState, backupFaults } from '../../store/backup-state.ts'
import type { Backups, KeptCopy } from '../../store/backups.ts'
import { commandLine } from '../terminal/command-line.ts'
import { counted, localTime } from '../terminal/words.ts'
import { lastOneGoes, parseKeepRule } from './keep-rule.ts'

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

/** When the last copy that may hold an address which is forgotten now is gone; all we can know. */
export interface CopiesLeft {
  /** In each folder, how many copies there are, and when the rule will have removed the last. */
  readonly folders: readonly { folder: string; copies: number; cleanOn: Date }[]
  /** What an update left beside the list, which goes with the next updates or by hand. */
  readonly beside: readonly string[]
  /** Of the copy that was written last, by a rule or not. */
  readonly last: Date | null
}

export async function copiesLeft(
  backups: Backups,
  dataDir: string,
  now: Date,
): Promise<CopiesLeft> {
  const byFolder = Map.groupBy(await backups.keptCopies(), ({ folder }) => folder)
  const folders = [...byFolder].flatMap(([folder, copies]) => {
    const there = existsSync(folder) ? copies.filter((copy) => isThere(copy)) : copies
    const rule = parseKeepRule(copies.at(-1)?.keep ?? '')
    if (there.length === 0 || !rule) return []
    const times = there.map(({ at }) => at)
    return [{ folder, copies: there.length, cleanOn: lastOneGoes(times, rule, now) }]
  })
  const beside = readdirSync(dataDir)
    .filter((name) => /^subscribers\.version-.*\.sqlite$/.test(name))
    .map((name) => join(dataDir, name))
  return { folders, beside, last: await backups.last() }
}

const isThere = ({ folder, name }: KeptCopy) => existsSync(join(folder, name))

/** The same in sentences, for whoever has just erased somebody. */
export function copiesLeftInWords({ folders, beside }: CopiesLeft, they: string): string[] {
  const day = (time: Date) => localTime(time).slice(0, 10)
  return [
    ...folders.map(
      ({ folder, copies, cleanOn }) =>
        `${counted(copies, 'back-up')} in ${folder} from before still ${copies === 1 ? 'has' : 'have'} ${they}. With one made each night, the last of them goes on ${day(cleanOn)}.`,
    ),
    ...beside.map(
      (file) =>
        `${file}, which an update left, may have ${they} too: delete it when you no longer need it.`,
    ),
    `Other copies, exports and the snapshots of a replica may have ${they} as well: nothing here knows of them.`,
  ]
}
