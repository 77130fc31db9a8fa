import { closeSync, existsSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BackupSettings, readBackupSettings } from '../config/backup-settings.ts'
import type { StoreSettings } from '../config/store-settings.ts'
import { productFolder } from '../product/folders.mjs'
import product from '../product/product.ts'
import type { KeptCopy } from '../store/backups.ts'
import { contentOfOwnCopy, keysInCopy, refuseWrongCopy } from '../store/open-store.ts'
import { makeNew } from '../store/output-file.ts'
import { CannotDecrypt, decryptFile, isEncrypted, needsPassphrase } from './back-up/age.ts'
import { linkKeyForLook, linkKeyOfCopy, putKeysBack, putSealKey } from './back-up/copied-keys.ts'
import { copyNames } from './back-up/copy-folder.ts'
import { openersFor } from './back-up/openers.ts'
import { knowOwnCopies } from './back-up/own-copies.ts'
import type { RestoreArguments } from './back-up/restore-command.ts'
import { alone } from './back-up/scratch.ts'
import { sealKeyForRestore } from './back-up/seal-keys.ts'
import { checkCopy, endHold, restore } from './commands/restore.ts'
import { orOperatorError, runWithStore, storeSettings } from './run.ts'
import { OperatorError } from './terminal/operator-error.ts'
import { counted, grouped, inARow } from './terminal/words.ts'

/** A copy as it is read, which may be another file than the one that was named. */
interface GivenCopy {
  readonly file: string
  readonly named: string
  /** Whether nobody else can have made it: the operator's passphrase opened it. */
  readonly isAuthentic: boolean
  /** Decrypts another copy as this one was. @returns the file, or `undefined`. */
  readonly decrypted: (file: string) => Promise<string | undefined>
}

const isPlain = { isAuthentic: false, decrypted: async () => undefined }

/** `restore`, of a copy that may be encrypted. @param named without one, only a hold is ended. */
export async function runRestore(
  named: string | undefined,
  options: RestoreArguments,
): Promise<void> {
  if (named === undefined) {
    if (!options.listIsRight || options.check) throw new OperatorError('Name the copy.')
    return runWithStore({}, (store, out) => endHold(store, out))
  }
  const settings = orOperatorError(readBackupSettings(process.env, productFolder))
  const isFile = statSync(named, { throwIfNoEntry: false })?.isFile() === true
  if (!isFile || !isEncrypted(named))
    return restorePlain({ file: named, named, ...isPlain }, options, settings)
  const { kind, dataDir } = storeSettings()
  if (kind === 'sqlite' && !existsSync(dataDir))
    throw new OperatorError(`DATA_DIR: there is no folder ${dataDir}`)
  const openers = await openersFor(needsPassphrase(named), options.identity, settings.passphrase)
  // Where the list is, since it holds the same; elsewhere only where there is no such place.
  const folder = kind === 'sqlite' ? dataDir : mkdtempSync(join(tmpdir(), 'opening-bell-'))
  try {
    await alone(folder, console.error, async (scratch) => {
      const decryptTo = async (name: string, from: string) => {
        const file = join(scratch, name)
        rmSync(file, { force: true })
        closeSync(makeNew(file))
        await decryptFile(from, file, openers)
        return file
      }
      const file = await decryptTo('copy.sqlite', named).catch((cause) => {
        if (!(cause instanceof CannotDecrypt)) throw cause
        throw new OperatorError(`${named} cannot be decrypted: ${cause.message}.`, { cause })
      })
      const decrypted = (other: string) =>
        decryptTo('other.sqlite', other).catch((cause) => {
          if (!(cause instanceof CannotDecrypt)) throw cause
          return undefined
        })
      // Anybody can encrypt for a recipient, and write "scrypt" above it. What a passphrase opens was
      // made with it.
      const isAuthentic = openers.identities.length === 0
      const copy = { file, named, isAuthentic, decrypted }
      await restorePlain(copy, options, settings)
    })
  } finally {
    if (kind !== 'sqlite') rmSync(folder, { recursive: true, force: true })
  }
}

async function restorePlain(
  { file, named, isAuthentic, decrypted }: GivenCopy,
  options: RestoreArguments,
  settings: BackupSettings,
): Promise<void> {
  const { check, json, listIsRight, ignoreClock } = options
  const { dataDir } = storeSettings()
  const sealKey = sealKeyForRestore(settings.sealKey, dataDir, options.sealKey)
  const clock = check || ignoreClock ? 'any' : 'ours'
  const reading = { sealKey, clock } as const
  let putBack: string[] = []
  let kept: string[] = []
  const beforeKeys = async ({ kind, dataDir, linkKey, invitationKey }: StoreSettings) => {
    if (kind !== 'sqlite') return undefined
    const asked = keysInCopy(file)
    // A look changes nothing, and makes no key that would then be in the way.
    if (check) return linkKeyForLook(dataDir, asked)
    // A copy that is refused leaves no key either: with it, the right one would be refused as well.
    const copyKey = linkKey ?? linkKeyOfCopy(dataDir, asked)
    const { keys, seal } = await refuseWrongCopy(file, product.appId, copyKey, reading)
    const isBelieved = listIsRight || isAuthentic || seal === 'whole'
    // link.key is the list's own: without it, nobody knows who left.
    putBack = putKeysBack(dataDir, keys, [
      ...(linkKey ? ['link.key'] : []),
      ...(invitationKey ? ['invitation.key'] : []),
      ...(isBelieved ? [] : ['session.key', 'invitation.key']),
    ])
    if (seal === 'whole' && sealKey) kept = putSealKey(dataDir, sealKey)
    return undefined
  }
  await runWithStore({ beforeKeys }, async (store, out, { copies, backups, linkKey }) => {
    if (putBack.length > 0) out.say(`Put back from the copy: ${inARow(putBack)}.`)
    if (kept.length > 0) out.say(`Kept in ${dataDir} for the copies to come: ${inARow(kept)}.`)
    const isBelieved = listIsRight || isAuthentic
    const onProgress = (done: number, all: number) =>
      out.progress(`${grouped(done)} of ${counted(all, 'row')}`)
    const given = { ...reading, onProgress, file, named, json, listIsRight, isBelieved }
    if (check) return checkCopy(copies, given, out)
    const to = settings.to
    const isFolder = to && statSync(to, { throwIfNoEntry: false })?.isDirectory()
    if (!backups || !isFolder) return restore(store, copies, given, out)
    const { appId } = product
    const folder = realpathSync(to)
    const newestKnown = async () => {
      const found = await knowOwnCopies(backups, {
        ...{ folder, names: copyNames(appId), decrypted },
        keep: process.env.BACKUP_KEEP?.trim() || '7,4,12',
        contentOf: (one) => contentOfOwnCopy(one, appId, linkKey),
      })
      if (found > 0)
        out.say(
          `${counted(found, 'copy', 'copies')} in ${to} ${found === 1 ? 'is' : 'are'} of this list: the rule looks after ${found === 1 ? 'it' : 'them'} again.`,
        )
      const isOfThese = (one: KeptCopy) => one.folder === folder && Number(one.at) <= Date.now()
      return (await backups.keptCopies()).findLast(isOfThese)?.at
    }
    return restore(store, copies, { ...given, newestKnown }, out)
  })
}
