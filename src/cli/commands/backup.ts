import { dirname, join, resolve } from 'node:path'
import { backupSettings } from '../../config/programs.ts'
import { keptSealKey, SEAL_KEY, sealKeyIn } from '../../keys/seal-key.ts'
import product from '../../product/product.ts'
import type { Backups } from '../../store/store.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { Misuse } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { counted, localTime } from '../../terminal/words.ts'
import { keysOf } from '../../upkeep/back-up/copied-keys.ts'
import type { KeepOptions } from '../../upkeep/back-up/keep-copies.ts'
import type { RehearseOptions } from '../../upkeep/back-up/rehearse.ts'
import { runWithStore, servedFolders, setting, settingsOf } from '../run.ts'

/** What `backup` is given on its command line. */
export interface BackupArguments {
  readonly keep?: string
  readonly to?: string
  readonly rehearse?: boolean
  readonly json?: boolean
}

/** `backup`, and the test of one. */
export async function fromCommandLine(options: BackupArguments): Promise<void> {
  const { rehearse: isRehearsal, json } = options
  if (options.keep !== undefined && isRehearsal)
    throw new Misuse('Name only one of --keep and --rehearse.')
  const settings = settingsOf(backupSettings)
  const takesIn = isRehearsal ? undefined : ('may' as const)
  await runWithStore({ looks: true, takesIn }, async (_store, out, opened) => {
    const { dataDir, linkKey, backups } = opened
    const { passphrase } = settings
    const to = options.to ?? settings.to
    if (!to) throw new Misuse('Name the folder for back-ups, with --to or BACKUP_TO.')
    const { appId } = product
    const common = { appId, dataDir, json, to: resolve(to), served: servedFolders }
    if (isRehearsal) {
      const sealKey = settings.sealKey ?? sealKeyIn(dataDir)
      return tryNewest(backups, { ...common, linkKey, passphrase, sealKey }, out)
    }
    const keep = options.keep ?? setting('BACKUP_KEEP')
    const sealKey = sealKeyForCopy(settings.sealKey, dataDir, out.say)
    return keepByRule(backups, { ...common, keep, sealKey, passphrase }, out)
  })
}

/** The key that seals a copy. @param set that of the settings; else one is kept in the data folder. */
function sealKeyForCopy(
  set: Buffer | undefined,
  dataDir: string,
  say: (text: string) => void,
): Buffer {
  if (set) return set
  const { key, isNew } = keptSealKey(dataDir)
  const file = join(dataDir, SEAL_KEY)
  if (isNew)
    say(
      `${file} is a new key, which proves that a copy was not changed. No copy contains the key: keep the key in another place as well. "base64 -w0 ${file}" prints it, for BACKUP_SEAL_KEY on another machine.`,
    )
  return key
}

interface Printing {
  readonly json?: boolean | undefined
}

/** Prints what `keepCopies` made and removed. */
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
      `${counted(counts.subscribers, 'person', 'people')} copied to ${path}, and read back. ${counted(kept, 'copy', 'copies')} kept, ${removed} removed.`,
    )
  if (!('link.key' in keysOf(options.dataDir)))
    out.say('LINK_KEY is not a file in DATA_DIR: keep it yourself, unsubscribe links need it.')
  return fault ? exitCodes.partly : exitCodes.done
}

/** `--rehearse`: prints what came back of the newest copy. */
export async function tryNewest(
  backups: Backups,
  { json, ...options }: RehearseOptions & Printing,
  out: Out,
) {
  const { rehearse } = await import('../../upkeep/back-up/rehearse.ts')
  const { copy, madeAt, fault, restored } = await rehearse(backups, options)
  const { added: subscribers = 0, announcements = 0 } = restored ?? {}
  if (json) await out.json({ copy, fault: fault ?? null, subscribers, announcements })
  else if (fault === undefined)
    out.say(
      `${copy}, of ${localTime(madeAt)}, was restored and compared: ${counted(subscribers, 'person', 'people')}, all as they were.`,
    )
  else out.say(out.style.red(`${copy} cannot be restored as it was: ${fault}`))
  return fault === undefined ? exitCodes.done : exitCodes.failed
}
