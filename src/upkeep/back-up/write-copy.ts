import { closeSync } from 'node:fs'
import { join } from 'node:path'
import type { CopiedKeys, Counts } from '../../store/backups.ts'
import { checkCopy } from '../../store/open-store.ts'
import { makeNew } from '../../store/output-file.ts'
import type { Backups } from '../../store/store.ts'
import { encryptFile, type Lock } from './age.ts'
import { keptRehearsalKey } from './rehearsal-key.ts'
import { sealFile } from './seal.ts'

export interface CopyOptions {
  readonly appId: string
  readonly dataDir: string
  readonly keys: CopiedKeys
  /** Seals the copy, and is not in it. */
  readonly sealKey: Buffer
  /** How the copy is encrypted, if it is. */
  readonly lock?: Lock | undefined
}

/**
 * Writes a copy as of now, and reads it back.
 *
 * @param to an empty file. @param scratch has the plain copy of an encrypted one, beside the list: the
 *   other may be anywhere. @throws Refused, StoreUnavailable; or the system's error.
 */
export async function writeCopy(
  backups: Backups,
  to: string,
  at: Date,
  { appId, dataDir, keys, sealKey, lock }: CopyOptions,
  scratch: string,
): Promise<Counts> {
  const plain = lock ? join(scratch, 'copy.sqlite') : to
  if (lock) closeSync(makeNew(plain))
  await backups.copyTo(plain, keys, at)
  const { counts } = checkCopy(plain, appId, true, to)
  await sealFile(plain, sealKey)
  if (lock) await encryptFile(plain, to, lock, await keptRehearsalKey(dataDir))
  return counts
}
