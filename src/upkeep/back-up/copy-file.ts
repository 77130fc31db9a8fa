import { closeSync, copyFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckedCopy, Counts } from '../../store/backups.ts'
import { checkCopy } from '../../store/open-store.ts'
import { makeNew } from '../../store/output-file.ts'
import type { Backups } from '../../store/store.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { refused } from '../refusal.ts'
import { keysOf } from './copied-keys.ts'
import { decryptFile, encryptFile, isEncrypted } from './encryption.ts'
import { type SealState, sealFile, unseal } from './seal.ts'

export interface CopyOptions {
  readonly appId: string
  readonly dataDir: string
  /** Seals the copy, and is not in it. */
  readonly sealKey: Buffer
  /** Encrypts the copy, if it is given. */
  readonly passphrase?: string | undefined
}

/**
 * Writes a copy as of now, with the keys, and reads it back.
 *
 * @param to an empty file. @param scratch has the plain copy of an encrypted one, beside the list: the
 *   other may be anywhere. @throws Refused, StoreUnavailable; or the system's error.
 */
export async function writeCopy(
  backups: Backups,
  to: string,
  at: Date,
  { appId, dataDir, sealKey, passphrase }: CopyOptions,
  scratch: string,
): Promise<Counts> {
  const plain = passphrase ? join(scratch, 'copy.sqlite') : to
  if (passphrase) closeSync(makeNew(plain))
  await backups.copyTo(plain, keysOf(dataDir), at)
  const { counts } = checkCopy(plain, appId, true, to)
  await sealFile(plain, sealKey)
  if (passphrase) await encryptFile(plain, to, passphrase)
  return counts
}

/** A copy that was read, as a file of our own, which nobody else can change. */
export interface OpenCopy extends CheckedCopy {
  readonly seal: SealState
  readonly file: string
}

export interface OpenOptions {
  /** The copy. */
  readonly file: string
  readonly appId: string
  /** Opens an encrypted one. */
  readonly passphrase?: string | undefined
  readonly sealKey?: Buffer | undefined
  /** Whether the operator wants what anybody may have made. */
  readonly isTrusted?: boolean | undefined
}

/** @param scratch a folder of our own. @throws Refused, StoreUnavailable */
export async function openCopy(
  { file: from, appId, passphrase, sealKey, isTrusted }: OpenOptions,
  scratch: string,
): Promise<OpenCopy> {
  const there = statSync(from, { throwIfNoEntry: false })
  if (!there) throw new StoreUnavailable(`There is no file ${from}`)
  // Opening a pipe could wait for ever.
  if (!there.isFile()) throw new StoreUnavailable(`${from} is no ordinary file`)
  const file = join(scratch, 'copy.sqlite')
  rmSync(file, { force: true })
  closeSync(makeNew(file))
  const isDecrypted = isEncrypted(from)
  if (isDecrypted) await decryptFile(from, file, passphrase)
  else copyFileSync(from, file)
  const sealed = await unseal(file, sealKey)
  // A copy that a passphrase opens was made with that passphrase.
  const seal = isDecrypted ? 'whole' : sealed
  const isOurs = seal === 'whole'
  // Nothing of a file of somebody else's is read before.
  if (!isOurs && !isTrusted) throw refused({ code: 'not-sealed', file: from, seal })
  return { seal, file, ...checkCopy(file, appId, isOurs, from) }
}
