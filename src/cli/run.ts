import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeSettings } from '../config/programs.ts'
import { type Reader, readSettings } from '../config/read.ts'
import type { SettingName } from '../config/settings.ts'
import type { OpenedCollector } from '../from-firestore/open-collector.ts'
import { commandLine } from '../product/command-line.ts'
import { environment } from '../product/environment.ts'
import { productFolder } from '../product/folders.mjs'
import product from '../product/product.ts'
import { waitingInWords } from '../shared/waiting-too-long.ts'
import { site } from '../site/site.ts'
import { isListIn } from '../store/list-at-rest.ts'
import { ownFolder } from '../store/own-folder.ts'
import type { Backups, Collecting, Store } from '../store/store.ts'
import { OperatorError } from '../terminal/operator-error.ts'
import type { Out } from '../terminal/out.ts'
import { terminal } from '../terminal/terminal.ts'
import type { TakesIn } from './collect-first.ts'

export interface CommandStore {
  /** Where the list and the keys are. */
  readonly dataDir: string
  readonly linkKey: Buffer
  readonly backups: Backups
  /** What takes in from Firestore; `undefined` without a page on Firebase. */
  readonly collector: OpenedCollector | undefined
  readonly collecting: Collecting
}

export interface StoreRunOptions {
  readonly output?: string
  /**
   * For a command that needs the whole list: first takes in the sign-ups of a page on Firebase. `open`
   * leaves that to the command.
   */
  readonly takesIn?: TakesIn | 'open' | undefined
  /**
   * For a command that needs a list that is there: it makes no list and no key, since a key would
   * block a restore.
   */
  readonly looks?: boolean
  /**
   * Where there is no list yet, it is done on an empty one that is thrown away: for a dry run, and for
   * a test of a setting.
   */
  readonly mayBeScratch?: boolean
}

/** Runs a command on the store that the settings name, and sets the exit code of the process. */
export async function runWithStore(
  options: StoreRunOptions,
  command: (store: Store, out: Out, opened: CommandStore) => Promise<number>,
): Promise<void> {
  // Not for commands without a store: an update runs several, and this is half of their code.
  const { linkKeyIn, openStore } = await import('../store/open-store.ts')
  const settings = settingsOf(storeSettings)
  ownDataFolder(settings.dataDir)
  const isMissing = !isListIn(settings.dataDir)
  if (isMissing && options.looks)
    throw new OperatorError(
      `There is no list in ${settings.dataDir} yet. To make one, start the server, or use "${commandLine('import')}" or "${commandLine('restore')}".`,
    )
  const scratch =
    isMissing && options.mayBeScratch ? mkdtempSync(join(tmpdir(), 'opening-bell-')) : undefined
  const dataDir = scratch ?? settings.dataDir
  const linkKey = settings.linkKey ?? linkKeyIn(dataDir)
  const { appId } = product
  const { store, backups, collecting } = await openStore({
    dataDir,
    appId,
    linkKey,
    log: () => {},
  })
  let collector: OpenedCollector | undefined
  try {
    await run(options, async (out) => {
      const { takesIn, looks } = options
      if (takesIn && !scratch) {
        // Not for other commands: it is half of the code of a short one.
        const { collectFirst, collectorOf, takeInFirst } = await import('./collect-first.ts')
        collector =
          takesIn === 'open'
            ? await collectorOf(settings, collecting)
            : await collectFirst(settings, { collecting, backups }, takesIn, out)
        await takeInFirst(store, takesIn, out)
      }
      const given = { dataDir, linkKey, backups, collector, collecting }
      const code = await command(store, out, given)
      const { entries } = looks && !scratch ? await store.inbox.waiting() : { entries: 0 }
      if (entries > 0) out.say(`${waitingInWords(entries)}.`)
      const mayHaveChanged = isListIn(dataDir) && (!looks || takesIn === 'must')
      if (scratch || !mayHaveChanged || !(await collecting.state())) return code
      const { tellThere } = await import('./collect-first.ts')
      return tellThere(code, settings, collecting, out)
    })
  } finally {
    await collector?.close()
    await store.close()
    if (scratch) rmSync(scratch, { recursive: true })
  }
}

/**
 * What a command uses of the settings.
 *
 * @param root where a relative folder begins. @throws OperatorError with a line for each mistake
 */
export function settingsOf<T>(use: (reader: Reader) => T, root?: string): T {
  const read = readSettings(use, undefined, root)
  if ('mistakes' in read) throw new OperatorError(read.mistakes.join('\n'))
  return read.settings
}

/** One of the settings. @throws OperatorError where it is wrong */
export const setting = <N extends SettingName>(name: N) => settingsOf(({ get }) => get(name))

/** Folders that are served or rebuilt: nothing lasting may be in them. */
export const servedFolders = site.built.map((folder) => join(productFolder, folder))

/** @throws OperatorError where there is no such folder, or others may read it. */
export function ownDataFolder(dataDir: string): void {
  if (!existsSync(dataDir))
    throw new OperatorError(
      `DATA_DIR: there is no folder ${dataDir}. Name the folder of the server, or make this one.`,
    )
  try {
    ownFolder(dataDir, servedFolders)
  } catch (cause) {
    throw new OperatorError(`DATA_DIR: cannot be used: ${(cause as Error).message}`)
  }
}

/** Runs a command that needs no store, and sets the exit code of the process. */
export async function run(
  { output }: { output?: string },
  command: (out: Out) => Promise<number>,
): Promise<void> {
  const color = !environment.NO_COLOR && environment.TERM !== 'dumb'
  const { out, keep, discard } = terminal(process, { output, dataDir: setting('DATA_DIR'), color })
  try {
    process.exitCode = await command(out)
    await keep()
  } catch (error) {
    await discard()
    throw error
  }
}
