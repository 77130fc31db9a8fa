import { closeSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readBackupSettings } from '../config/backup-settings.ts'
import type { StoreSettings } from '../config/store-settings.ts'
import { productFolder } from '../product/folders.mjs'
import product from '../product/product.ts'
import { keysInCopy, refuseWrongCopy } from '../store/open-store.ts'
import { makeNew } from '../store/output-file.ts'
import { CannotDecrypt, decryptFile, isEncrypted, needsPassphrase } from './back-up/age.ts'
import { linkKeyForLook, linkKeyOfCopy, putKeysBack } from './back-up/copied-keys.ts'
import { openersFor } from './back-up/openers.ts'
import { alone } from './back-up/scratch.ts'
import { restore } from './commands/restore.ts'
import { orOperatorError, runWithStore, storeSettings } from './run.ts'
import { OperatorError } from './terminal/operator-error.ts'
import { inARow } from './terminal/words.ts'

export interface RestoreArguments {
  readonly check?: boolean
  readonly json?: boolean
  /** A file as `age-keygen` writes it. */
  readonly identity?: string
}

/** `restore`, of a copy that may be encrypted. */
export async function runRestore(file: string, options: RestoreArguments): Promise<void> {
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true
  if (!isFile || !isEncrypted(file)) return restorePlain(file, options)
  const { kind, dataDir } = storeSettings()
  if (kind === 'sqlite' && !existsSync(dataDir))
    throw new OperatorError(`DATA_DIR: there is no folder ${dataDir}`)
  const { passphrase } = orOperatorError(readBackupSettings(process.env, productFolder))
  const openers = await openersFor(needsPassphrase(file), options.identity, passphrase)
  // Where the list is, since it holds the same; elsewhere only where there is no such place.
  const folder = kind === 'sqlite' ? dataDir : mkdtempSync(join(tmpdir(), 'opening-bell-'))
  try {
    await alone(folder, console.error, async (scratch) => {
      const plain = join(scratch, 'copy.sqlite')
      closeSync(makeNew(plain))
      await decryptFile(file, plain, openers).catch((cause) => {
        if (!(cause instanceof CannotDecrypt)) throw cause
        throw new OperatorError(`${file} cannot be decrypted: ${cause.message}.`, { cause })
      })
      await restorePlain(plain, options)
    })
  } finally {
    if (kind !== 'sqlite') rmSync(folder, { recursive: true, force: true })
  }
}

async function restorePlain(file: string, options: RestoreArguments): Promise<void> {
  let putBack: string[] = []
  const beforeKeys = async ({ kind, dataDir, linkKey, invitationKey }: StoreSettings) => {
    if (kind !== 'sqlite') return undefined
    const keys = keysInCopy(file)
    // A look changes nothing, and makes no key that would then be in the way.
    if (options.check) return linkKeyForLook(dataDir, keys)
    // A copy that is refused leaves no key either: with it, the right one would be refused as well.
    await refuseWrongCopy(file, product.appId, linkKey ?? linkKeyOfCopy(dataDir, keys))
    putBack = putKeysBack(dataDir, keys, [
      ...(linkKey ? ['link.key'] : []),
      ...(invitationKey ? ['invitation.key'] : []),
    ])
    return undefined
  }
  await runWithStore({ beforeKeys }, (_store, out, { copies }) => {
    if (putBack.length > 0) out.say(`Put back from the copy: ${inARow(putBack)}.`)
    return restore(copies, { ...options, file }, out)
  })
}
