import { closeSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { CopiedKeys, Counts } from '../../store/backups.ts'
import { checkCopy } from '../../store/open-store.ts'
import { makeNew, OutputRefused, outputFile } from '../../store/output-file.ts'
import type { Backups } from '../../store/store.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
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
 * Writes a copy as of now, and reads it back before it has its name.
 *
 * @param path is replaced if it is there. @param scratch has the plain copy of an encrypted one, beside the
 *   list: the other may be anywhere.
 * @param beforeNamed is done last; if that fails, the copy is removed. @throws StoreUnavailable
 */
export async function writeCopy(
  backups: Backups,
  path: string,
  at: Date,
  { appId, dataDir, keys, sealKey, lock }: CopyOptions,
  scratch: string,
  beforeNamed?: (bytes: number) => Promise<void>,
): Promise<Counts> {
  let discard = () => {}
  try {
    const output = outputFile(path, dataDir)
    discard = output.discard
    const { unfinished } = output
    const plain = lock ? join(scratch, 'copy.sqlite') : unfinished
    if (lock) closeSync(makeNew(plain))
    await backups.copyTo(plain, keys, at)
    const { counts } = checkCopy(plain, appId, true, path)
    await sealFile(plain, sealKey)
    if (lock) {
      await encryptFile(plain, unfinished, lock, await keptRehearsalKey(dataDir))
      rmSync(plain)
    }
    await beforeNamed?.(statSync(unfinished).size)
    output.keep()
    await backups.change((record) => ({ ...record, last: at }))
    return counts
  } catch (cause) {
    const isSystems = /^E[A-Z]+$/.test((cause as NodeJS.ErrnoException).code ?? '')
    if (!(cause instanceof OutputRefused || isSystems)) throw cause
    const { message } = cause as Error
    throw new StoreUnavailable(`${path} cannot be written: ${message}`, { cause })
  } finally {
    discard()
  }
}
