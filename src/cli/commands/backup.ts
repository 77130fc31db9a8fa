import { dirname, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { readBackupSettings } from '../../config/backup-settings.ts'
import { productFolder } from '../../product/folders.mjs'
import product from '../../product/product.ts'
import type { Backups } from '../../store/backups.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { Misuse } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { counted, localTime } from '../../terminal/words.ts'
import { keysOf } from '../../upkeep/back-up/copied-keys.ts'
import { type KeepOptions, keepCopies, noneIsThere } from '../../upkeep/back-up/keep-copies.ts'
import { KEEP_RULE, parseKeepRule } from '../../upkeep/back-up/keep-rule.ts'
import { type RehearseOptions, rehearse } from '../../upkeep/back-up/rehearse.ts'
import { reading } from '../announce/sending-options.ts'
import { lockOf, sealKeyForCopy, sealKeyForRestore } from '../backup-secrets.ts'
import { orOperatorError, runWithStore, servedFolders } from '../run.ts'
import { reportTo } from '../words/told.ts'

/** What `backup` is given on its command line. */
export interface BackupArguments {
  readonly output?: string
  readonly keep?: string
  readonly to?: string
  readonly recipient?: string[]
  /** Ask for one. */
  readonly passphrase?: boolean
  readonly rehearse?: boolean
  readonly json?: boolean
}

/** Gives `backup` its options and its help. */
export function describeBackup(command: Command): Command {
  return command
    .description('copy the list and all that is known of it, while the server runs')
    .option('--output <file>', 'write one copy, without the keys')
    .addOption(
      new Option(
        '--keep <days,weeks,months>',
        'write a copy with the keys into a folder, then keep one copy for each of so many days, weeks and months',
      ).argParser(reading((text) => (parseKeepRule(text) ? text : undefined), KEEP_RULE)),
    )
    .option(
      '--rehearse',
      'restore the newest copy of the folder into a temporary list, and compare',
    )
    .option('--to <folder>', 'the folder, otherwise BACKUP_TO')
    .addOption(
      new Option(
        '--recipient <age1…>',
        'with --keep: encrypt to a recipient of age, otherwise BACKUP_RECIPIENTS; may be repeated',
      ).argParser((one: string, before: string[] = []) => [...before, one]),
    )
    .option('--passphrase', 'with --keep: ask for a passphrase to encrypt with')
    .addHelpText(
      'after',
      `
Name one of --output, --keep 7,4,12 and --rehearse. Old copies are removed only when the new one is
there, and only copies that this list made.
Letters are in no copy: they are files in DATA_DIR/letters. Copy that folder yourself.
docs/backups.md has all of it.`,
    )
}

/** `backup`, in each of its three ways. */
export async function backup(options: BackupArguments, command: Command): Promise<void> {
  const { output: file, keep, rehearse: isRehearsal, json } = options
  if ([file, keep, isRehearsal].filter((one) => one !== undefined).length !== 1)
    command.error('error: name one of --output, --keep and --rehearse', { exitCode: 2 })
  const settings = orOperatorError(readBackupSettings(process.env, productFolder))
  const lock = keep === undefined ? undefined : await lockOf(options, settings)
  const takesIn = isRehearsal ? undefined : ('may' as const)
  await runWithStore({ looks: true, takesIn }, (_store, out, { dataDir, linkKey, backups }) => {
    const sealKey = () => sealKeyForCopy(settings.sealKey, dataDir, out.say)
    if (file !== undefined) return writeOne(backups, { file, json, sealKey: sealKey() }, out)
    const to = options.to ?? settings.to
    if (!to) throw new Misuse('Name the folder for back-ups, with --to or BACKUP_TO.')
    const { appId } = product
    const keys = keysOf(dataDir)
    const common = { to: resolve(to), appId, dataDir, served: servedFolders, keys, json }
    if (keep !== undefined)
      return keepByRule(backups, { ...common, keep, lock, sealKey: sealKey() }, out)
    const openIn = async (folder: string) => {
      const { openStore } = await import('../../store/open-store.ts')
      return openStore({ dataDir: folder, appId, linkKey, log: () => {} })
    }
    const { passphrase } = settings
    const checkWith = sealKeyForRestore(settings.sealKey, dataDir)
    return tryNewest(backups, { ...common, passphrase, sealKey: checkWith, openIn }, out)
  })
}

interface OneCopy {
  readonly file: string
  readonly json?: boolean | undefined
  readonly sealKey?: Buffer | undefined
}

async function writeOne(backups: Backups, { file, json, sealKey }: OneCopy, out: Out) {
  const copy = await backups.write(file, { sealKey })
  if (json) await out.json(copy)
  else out.say(`${counted(copy.subscribers, 'person', 'people')} copied to ${file}, and read back.`)
  out.say('Keep LINK_KEY, or link.key of DATA_DIR, with it: unsubscribe links need it.')
  return exitCodes.done
}

interface Printing {
  readonly json?: boolean | undefined
}

/** `--keep`: prints what `keepCopies` made and removed. */
export async function keepByRule(
  backups: Backups,
  { json, ...options }: KeepOptions & Printing,
  out: Out,
) {
  const { copy, path, left, removed, gone, strangers } = await keepCopies(
    backups,
    options,
    reportTo(out),
  )
  const folder = dirname(path)
  if (gone > 0)
    out.say(
      out.style.red(
        `In ${folder}, ${noneIsThere(gone)}. Is the disk mounted? The list recognizes copies that come back.`,
      ),
    )
  if (json) await out.json({ ...copy, file: path, kept: left, removed })
  else
    out.say(
      `${counted(copy.subscribers, 'person', 'people')} copied to ${path}, and read back. ${counted(left, 'copy', 'copies')} kept, ${removed} removed.`,
    )
  if (strangers > 0)
    out.say(
      `${counted(strangers, 'copy', 'copies')} in ${folder} ${strangers === 1 ? 'was not made by this list, and is' : 'were not made by this list, and are'} never removed.`,
    )
  if (!('link.key' in options.keys))
    out.say('LINK_KEY is not a file in DATA_DIR: keep it yourself, unsubscribe links need it.')
  return gone > 0 ? exitCodes.partly : exitCodes.done
}

/** `--rehearse`: prints what came back of the newest copy. */
export async function tryNewest(
  backups: Backups,
  { json, ...options }: RehearseOptions & Printing,
  out: Out,
) {
  const { copy, madeAt, fault, content, tookMs } = await rehearse(backups, options, reportTo(out))
  if (json) await out.json({ copy, fault: fault ?? null, ...content })
  else if (fault === undefined && content)
    out.say(
      `${copy}, of ${localTime(madeAt)}, was restored and compared in ${(tookMs / 1000).toFixed(1)} s: ${counted(content.subscribers, 'person', 'people')}, all as they were.`,
    )
  else out.say(out.style.red(`${copy} cannot be restored as it was: ${fault}`))
  return fault === undefined ? exitCodes.done : exitCodes.failed
}
