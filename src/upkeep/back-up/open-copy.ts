import { closeSync, copyFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { SealState } from '../../keys/seal-key.ts'
import { makeNew } from '../../store/output-file.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { decryptFile, isEncrypted, needsPassphrase, type Openers } from './age.ts'
import { unseal } from './seal.ts'

/** A copy of our own of a copy, which nobody else can change. */
export interface OpenCopy {
  readonly seal: SealState
  readonly file: string
  /** Whether only we can have made it. */
  readonly isOurs: boolean
}

/** What a copy has to be opened with, if it is encrypted. */
export function openedWith(file: string): 'passphrase' | 'identity' | undefined {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile() || !isEncrypted(file)) return undefined
  return needsPassphrase(file) ? 'passphrase' : 'identity'
}

/**
 * @param scratch a folder of our own. @param openers of an encrypted one.
 * @throws CannotDecrypt, StoreUnavailable
 */
export async function openCopy(
  from: string,
  scratch: string,
  openers: Openers,
  sealKey: Buffer | undefined,
): Promise<OpenCopy> {
  const there = statSync(from, { throwIfNoEntry: false })
  if (!there) throw new StoreUnavailable(`There is no file ${from}`)
  // Opening a pipe could wait for ever.
  if (!there.isFile()) throw new StoreUnavailable(`${from} is no ordinary file`)
  const file = join(scratch, 'copy.sqlite')
  rmSync(file, { force: true })
  closeSync(makeNew(file))
  const isDecrypted = isEncrypted(from)
  if (isDecrypted) await decryptFile(from, file, openers)
  else copyFileSync(from, file)
  const seal = await unseal(file, sealKey)
  // Anybody can encrypt to a recipient, and write "scrypt" above it. A copy that a passphrase opens was
  // made with that passphrase.
  const isAuthentic = isDecrypted && openers.identities.length === 0
  return { seal, file, isOurs: seal === 'whole' || isAuthentic }
}
