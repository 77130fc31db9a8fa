import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Merged, withRehearsal } from '../../store/backups.ts'
import type { Backups } from '../../store/store.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { refused } from '../refusal.ts'
import { keysOf } from './copied-keys.ts'
import { type OpenCopy, openCopy } from './copy-file.ts'
import { copiesIn, copyFolder } from './copy-folder.ts'
import type { KeepOptions } from './keep-copies.ts'
import { listFrom } from './restore.ts'
import { alone } from './scratch.ts'

export interface RehearseOptions extends Pick<KeepOptions, 'to' | 'appId' | 'dataDir' | 'served'> {
  readonly sealKey: Buffer | undefined
  readonly linkKey: Buffer
  /** Of the settings, where copies are encrypted with one. */
  readonly passphrase?: string | undefined
}

export interface Rehearsed {
  /** The file of the copy, and when it was made. */
  readonly copy: string
  readonly madeAt: Date
  /** Why it cannot be restored as it was. */
  readonly fault?: string | undefined
  readonly restored?: Merged
}

/**
 * `backup --rehearse`: restores the newest copy into a scratch folder, and compares it with its seal,
 * its name and the keys in use. The result is stored for `status`.
 *
 * @throws Refused, StoreUnavailable
 */
export async function rehearse(backups: Backups, options: RehearseOptions): Promise<Rehearsed> {
  const { to, appId, dataDir, served } = options
  const folder = copyFolder(to, [dataDir, ...served])
  return alone(dataDir, async (scratch) => {
    const note = (fault: string | undefined) =>
      backups.change((record) => withRehearsal(record, new Date(), fault))
    const kept = (await backups.record()).kept.filter((one) => one.folder === folder)
    const found = copiesIn(folder, appId)
    // Not one of another list, nor from the future, if there are others.
    const ours = found.filter(({ name }) => kept.some((one) => one.name === name))
    const all = ours.length > 0 ? ours : found
    const newest = all.findLast(({ at }) => Number(at) <= Date.now()) ?? all.at(-1)
    if (!newest) {
      if (kept.length > 0) await note('no copy is there')
      throw refused({ code: 'no-copy', folder })
    }
    const [copy, madeAt] = [join(folder, newest.name), newest.at]
    const result = await tryOut(copy, madeAt, scratch, options)
    await note(result.fault)
    return { copy, madeAt, ...result }
  })
}

async function tryOut(
  file: string,
  madeAt: Date,
  scratch: string,
  { appId, linkKey, sealKey, dataDir, passphrase }: RehearseOptions,
): Promise<Pick<Rehearsed, 'fault' | 'restored'>> {
  try {
    const copy = await openCopy({ file, appId, passphrase, sealKey, isTrusted: true }, scratch)
    // One that was renamed is sealed, and says another time.
    if (copy.seal !== 'whole' || Number(copy.at) !== Number(madeAt))
      return { fault: 'it is not as it was made' }
    const restored = await listFrom(copy, join(scratch, 'list'), { appId, linkKey })
    // Who waits in it may add to them.
    const isWhole = restored.added >= copy.counts.subscribers
    const faults = [...keyFaults(copy, dataDir), ...(isWhole ? [] : ['not everybody came back'])]
    return { fault: faults.join('; ') || undefined, restored }
  } catch (cause) {
    // A fault of the copy; any other error is a fault of ours.
    if (!(cause instanceof StoreUnavailable)) throw cause
    return { fault: cause.message }
  }
}

/** What keys of a copy are not those in use. One that was made since is in no copy. */
function keyFaults({ keys, at }: OpenCopy, dataDir: string): string[] {
  return Object.entries(keysOf(dataDir)).flatMap(([name, inUse]) => {
    const copied = keys[name]
    if (copied) return inUse.equals(copied) ? [] : `its ${name} differs from the one in use`
    return statSync(join(dataDir, name)).mtime < at ? `its ${name} is missing` : []
  })
}
