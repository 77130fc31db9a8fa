import { closeSync, copyFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckedCopy } from '../../store/backups.ts'
import { checkCopy } from '../../store/open-store.ts'
import { makeNew } from '../../store/output-file.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { refused } from '../refusal.ts'
import { decryptFile, isEncrypted, type Openers } from './age.ts'
import { type SealState, unseal } from './seal.ts'

/** A copy that was read, as a file of our own, which nobody else can change. */
export interface OpenCopy extends CheckedCopy {
  readonly seal: SealState
  readonly file: string
  /** Whether only we can have made it. */
  readonly isOurs: boolean
}

export interface OpenOptions {
  /** The copy. */
  readonly file: string
  readonly appId: string
  /** What opens an encrypted one. */
  readonly openers: Openers
  readonly sealKey?: Buffer | undefined
  /** Whether the operator wants what anybody may have made. */
  readonly isTrusted?: boolean | undefined
}

/** @param scratch a folder of our own. @throws Refused, StoreUnavailable */
export async function openCopy(
  { file: from, appId, openers, sealKey, isTrusted }: OpenOptions,
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
  if (isDecrypted) await decryptFile(from, file, openers)
  else copyFileSync(from, file)
  const seal = await unseal(file, sealKey)
  // Anybody can encrypt to a recipient, and write "scrypt" above it. A copy that a passphrase opens was
  // made with that passphrase.
  const isOurs = seal === 'whole' || (isDecrypted && openers.identities.length === 0)
  // Nothing of a file of somebody else's is read before.
  if (!isOurs && !isTrusted) throw refused({ code: 'not-sealed', file: from, seal })
  return { seal, file, isOurs, ...checkCopy(file, appId, isOurs, from) }
}
