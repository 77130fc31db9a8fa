import { mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { addressIds } from '../../keys/address-id.ts'
import { inDataFolder } from '../../shared/data-folder.ts'
import { type CopiedKeys, type Counts, withRehearsal } from '../../store/backups.ts'
import { checkCopy, openStore } from '../../store/open-store.ts'
import type { Backups } from '../../store/store.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { refused } from '../refusal.ts'
import { CannotDecrypt } from './age.ts'
import { copiesIn, copyFolder } from './copy-folder.ts'
import type { KeepOptions } from './keep-copies.ts'
import { openCopy } from './open-copy.ts'
import { rehearsalKey } from './rehearsal-key.ts'
import { alone } from './scratch.ts'

export interface RehearseOptions
  extends Pick<KeepOptions, 'to' | 'appId' | 'dataDir' | 'served' | 'keys'> {
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
  readonly fault: string | undefined
  readonly counts?: Counts
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
    const note = (copy: string, fault: string | undefined) =>
      backups.change((record) => withRehearsal(record, { at: new Date(), copy, fault }))
    const kept = (await backups.record()).kept.filter((one) => one.folder === folder)
    const found = copiesIn(folder, appId)
    // Not one of another list, nor from the future, if there are others.
    const ours = found.filter(({ name }) => kept.some((one) => one.name === name))
    const all = ours.length > 0 ? ours : found
    const newest = all.findLast(({ at }) => Number(at) <= Date.now()) ?? all.at(-1)
    if (!newest) {
      if (kept.length > 0) await note(folder, 'no copy is there')
      throw refused({ code: 'no-copy', folder })
    }
    const [copy, madeAt] = [join(folder, newest.name), newest.at]
    const result = await tryOut(copy, madeAt, scratch, options)
    await note(copy, result.fault)
    return { copy, madeAt, ...result }
  })
}

async function tryOut(
  copy: string,
  madeAt: Date,
  scratch: string,
  { appId, linkKey, keys, sealKey, dataDir, passphrase }: RehearseOptions,
): Promise<Pick<Rehearsed, 'fault' | 'counts'>> {
  try {
    const own = rehearsalKey(dataDir)
    const openers = { identities: own ? [own] : [], passphrase }
    const { file, seal, isOurs } = await openCopy(copy, scratch, openers, sealKey)
    const checked = checkCopy(file, appId, false, copy)
    // One that was renamed is sealed, and says another time.
    const isAsMade = isOurs && Number(checked.at) === Number(madeAt)
    const { fingerprint } = addressIds(linkKey)
    const isOthers = (checked.fingerprint ?? fingerprint) !== fingerprint
    const faults = [
      ...(isAsMade ? [] : ['it is not as it was made']),
      ...(seal === 'wrong' ? ['its seal is wrong'] : []),
      ...(isOthers ? ['it was made with another LINK_KEY than the one in use'] : []),
      ...keyFaults(checked.keys, keys, (name) => statSync(join(dataDir, name)).mtime < madeAt),
    ]
    // Nobody in it is known.
    if (isOthers) return { fault: faults.join('; ') }
    const folder = join(scratch, 'list')
    mkdirSync(folder, { mode: 0o700 })
    renameSync(file, join(folder, inDataFolder.list))
    const { store, backups } = await openStore({ dataDir: folder, appId, linkKey, log: () => {} })
    const counts = await store
      .becomeList(new Date())
      .then(() => backups.counts())
      .finally(() => store.close())
    // Who waits in it may add to them.
    const areThere = (name: keyof Counts) => counts[name] >= checked.counts[name]
    const isWhole = areThere('subscribers') && areThere('announcements')
    if (!isWhole) faults.push('not everything came back')
    return { fault: faults.join('; ') || undefined, counts }
  } catch (cause) {
    // A fault of the copy; any other error is a fault of ours.
    if (!(cause instanceof StoreUnavailable || cause instanceof CannotDecrypt)) throw cause
    return { fault: cause.message }
  }
}

/** @param wasThere whether a key was there when the copy was made: none has a later one. */
function keyFaults(
  copied: CopiedKeys,
  inUse: CopiedKeys,
  wasThere: (name: string) => boolean,
): string[] {
  return Object.entries(inUse).flatMap(([name, bytes]) => {
    const theirs = copied[name]
    if (!theirs) return wasThere(name) ? `its ${name} is missing` : []
    return Buffer.from(bytes).equals(theirs) ? [] : `its ${name} differs from the one in use`
  })
}
