import { resolve } from 'node:path'
import {
  type BackupSettings,
  PASSPHRASE_RULE,
  parsePassphrase,
  readBackupSettings,
} from '../config/backup-settings.ts'
import { productFolder } from '../product/folders.mjs'
import product from '../product/product.ts'
import type { Backups } from '../store/backups.ts'
import { openStore } from '../store/open-store.ts'
import type { Lock } from './back-up/age.ts'
import type { BackupArguments } from './back-up/backup-command.ts'
import { keysOf } from './back-up/copied-keys.ts'
import { keepCopies } from './back-up/keep-copies.ts'
import { rehearse } from './back-up/rehearse.ts'
import { sealKeyForCopy, sealKeyForRestore } from './back-up/seal-keys.ts'
import { backup } from './commands/backup.ts'
import { orOperatorError, runWithStore, servedFolders } from './run.ts'
import { askSecret } from './terminal/ask-secret.ts'
import { OperatorError } from './terminal/operator-error.ts'

/** `backup`, in each of its three ways. */
export async function runBackup(options: BackupArguments): Promise<void> {
  const { output: file, keep, rehearse: isRehearsal, json } = options
  const settings = orOperatorError(readBackupSettings(process.env, productFolder))
  const lock = keep === undefined ? undefined : await lockOf(options, settings)
  await runWithStore({}, (_store, out, { dataDir, linkKey, backups: all }) => {
    const backups = theirs(all)
    const sealKey = isRehearsal ? undefined : sealKeyForCopy(settings.sealKey, dataDir, out.say)
    if (file !== undefined) return backup(backups, { file, json, sealKey }, out)
    const to = options.to ?? settings.to
    if (!to) throw new OperatorError('Name the folder for back-ups, with --to or BACKUP_TO.')
    const { appId } = product
    const keys = keysOf(dataDir)
    const common = { to: resolve(to), appId, dataDir, served: servedFolders, keys, json }
    if (keep !== undefined) return keepCopies(backups, { ...common, keep, lock, sealKey }, out)
    const openIn = (folder: string) =>
      openStore({ kind: 'sqlite', dataDir: folder, appId, linkKey, log: () => {} })
    const { passphrase } = settings
    const checkWith = sealKeyForRestore(settings.sealKey, dataDir, undefined)
    return rehearse(backups, { ...common, passphrase, sealKey: checkWith, openIn }, out)
  })
}

/** What is said in the command counts before what the settings say. */
async function lockOf(
  { recipient, passphrase: asks }: BackupArguments,
  { recipients, passphrase }: BackupSettings,
): Promise<Lock | undefined> {
  if (recipient && asks)
    throw new OperatorError('A copy is encrypted to --recipient or with --passphrase, not to both.')
  if (recipient) return { recipients: recipient }
  if (asks) return { passphrase: await newPassphrase() }
  if (recipients.length > 0) return { recipients }
  return passphrase === undefined ? undefined : { passphrase }
}

async function newPassphrase(): Promise<string> {
  const typed = await askSecret(`Passphrase for the copy, ${PASSPHRASE_RULE}: `)
  if (!parsePassphrase(typed)) throw new OperatorError(`It must have ${PASSPHRASE_RULE}.`)
  if ((await askSecret('Once more: ')) !== typed) throw new OperatorError('They are not the same.')
  return typed
}

function theirs(backups: Backups | undefined): Backups {
  if (backups) return backups
  throw new OperatorError('Firestore has back-ups of its own: see docs/firebase.md.')
}
