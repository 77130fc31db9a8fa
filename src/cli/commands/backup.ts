import { dirname, resolve } from 'node:path'
import { backupSettings } from '../../config/programs.ts'
import { sealKeyIn } from '../../keys/seal-key.ts'
import product from '../../product/product.ts'
import type { Counts } from '../../store/backups.ts'
import type { Backups } from '../../store/store.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { Misuse } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { counted, localTime } from '../../terminal/words.ts'
import { keysOf } from '../../upkeep/back-up/copied-keys.ts'
import type { KeepOptions } from '../../upkeep/back-up/keep-copies.ts'
import type { RehearseOptions } from '../../upkeep/back-up/rehearse.ts'
import type { CopyOptions } from '../../upkeep/back-up/write-copy.ts'
import { lockOf, sealKeyForCopy } from '../backup-secrets.ts'
import { runWithStore, servedFolders, settingsOf } from '../run.ts'

/** What `backup` is given on its command line. */
export interface BackupArguments {
  readonly output?: string
  readonly keep?: string
  readonly to?: string
  readonly rehearse?: boolean
  readonly json?: boolean
}

/** `backup`, in each of its three ways. */
export async function fromCommandLine(options: BackupArguments): Promise<void> {
  const { output: file, keep, rehearse: isRehearsal, json } = options
  if ([file, keep, isRehearsal].filter((one) => one !== undefined).length !== 1)
    throw new Misuse('Name one of --output, --keep and --rehearse.')
  const settings = settingsOf(backupSettings)
  const takesIn = isRehearsal ? undefined : ('may' as const)
  await runWithStore({ looks: true, takesIn }, async (_store, out, opened) => {
    const { dataDir, linkKey, backups } = opened
    const list = { appId: product.appId, dataDir, keys: keysOf(dataDir), json }
    const sealing = () => ({
      lock: lockOf(settings),
      sealKey: sealKeyForCopy(settings.sealKey, dataDir, out.say),
    })
    if (file !== undefined) return writeOne(backups, { ...list, ...sealing(), file }, out)
    const to = options.to ?? settings.to
    if (!to) throw new Misuse('Name the folder for back-ups, with --to or BACKUP_TO.')
    const common = { ...list, to: resolve(to), served: servedFolders }
    if (keep !== undefined) return keepByRule(backups, { ...common, ...sealing(), keep }, out)
    const sealKey = settings.sealKey ?? sealKeyIn(dataDir)
    const { passphrase } = settings
    return tryNewest(backups, { ...common, linkKey, passphrase, sealKey }, out)
  })
}

interface Printing {
  readonly json?: boolean | undefined
}

async function writeOne(
  backups: Backups,
  { file, json, ...options }: CopyOptions & Printing & { readonly file: string },
  out: Out,
) {
  const { writeCopy } = await import('../../upkeep/back-up/write-copy.ts')
  const { alone } = await import('../../upkeep/back-up/scratch.ts')
  const counts = await alone(options.dataDir, (scratch) =>
    writeCopy(backups, file, new Date(), options, scratch),
  )
  if (json) await out.json(counts)
  else out.say(copiedTo(file, counts))
  sayOfLinkKey(options, out)
  return exitCodes.done
}

const copiedTo = (file: string, { subscribers }: Counts) =>
  `${counted(subscribers, 'person', 'people')} copied to ${file}, and read back.`

function sayOfLinkKey({ keys }: CopyOptions, out: Out) {
  if (!('link.key' in keys))
    out.say('LINK_KEY is not a file in DATA_DIR: keep it yourself, unsubscribe links need it.')
}

/** `--keep`: prints what `keepCopies` made and removed. */
export async function keepByRule(
  backups: Backups,
  { json, ...options }: KeepOptions & Printing,
  out: Out,
) {
  const { keepCopies } = await import('../../upkeep/back-up/keep-copies.ts')
  const { counts, path, left: kept, removed, fault } = await keepCopies(backups, options)
  if (fault)
    out.say(
      out.style.red(
        `In ${dirname(path)}, ${fault}. Is the disk mounted? The list recognizes copies that come back.`,
      ),
    )
  if (json) await out.json({ ...counts, file: path, kept, removed })
  else
    out.say(
      `${copiedTo(path, counts)} ${counted(kept, 'copy', 'copies')} kept, ${removed} removed.`,
    )
  sayOfLinkKey(options, out)
  return fault ? exitCodes.partly : exitCodes.done
}

/** `--rehearse`: prints what came back of the newest copy. */
export async function tryNewest(
  backups: Backups,
  { json, ...options }: RehearseOptions & Printing,
  out: Out,
) {
  const { rehearse } = await import('../../upkeep/back-up/rehearse.ts')
  const { copy, madeAt, fault, counts } = await rehearse(backups, options)
  if (json) await out.json({ copy, fault: fault ?? null, ...counts })
  else if (fault === undefined && counts)
    out.say(
      `${copy}, of ${localTime(madeAt)}, was restored and compared: ${counted(counts.subscribers, 'person', 'people')}, all as they were.`,
    )
  else out.say(out.style.red(`${copy} cannot be restored as it was: ${fault}`))
  return fault === undefined ? exitCodes.done : exitCodes.failed
}
