import { mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { inDataFolder } from '../../shared/data-folder.ts'
import { type CopiedKeys, type Counts, type KeptCopy, withRehearsal } from '../../store/backups.ts'
import { checkCopy, openStore } from '../../store/open-store.ts'
import type { Backups } from '../../store/store.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { refused } from '../refusal.ts'
import type { Report } from '../report.ts'
import { CannotDecrypt } from './age.ts'
import { copyFolder, copyNames, type FoundCopy } from './copy-folder.ts'
import { openCopy } from './open-copy.ts'
import { rehearsalKey } from './rehearsal-key.ts'
import { alone } from './scratch.ts'

export interface RehearseOptions {
  /** The folder of the copies. */
  readonly to: string
  readonly appId: string
  readonly dataDir: string
  readonly served: readonly string[]
  readonly linkKey: Buffer
  /** Those that are in use now. */
  readonly keys: CopiedKeys
  /** Of the settings, where copies are encrypted with one. */
  readonly passphrase?: string | undefined
  /** Checks the seal of the copy. */
  readonly sealKey?: Buffer | undefined
}

/** The result. */
export interface Rehearsal {
  /** The file of the copy, and when it was made. */
  readonly copy: string
  readonly madeAt: Date
  /** Why it cannot be restored as it was. */
  readonly fault: string | undefined
  readonly counts?: Counts
  readonly tookMs: number
}

/**
 * `backup --rehearse`: restores the newest copy into a scratch folder, and compares it with what the list
 * noted when it made the copy. The result is stored for `status`.
 *
 * @throws Refused, StoreUnavailable
 */
export async function rehearse(
  backups: Backups,
  options: RehearseOptions,
  report: Report,
): Promise<Rehearsal> {
  const { to, appId, dataDir, served } = options
  const folder = copyFolder(to, [dataDir, ...served])
  return alone(dataDir, report, async (scratch) => {
    const note = (copy: string, fault: string | undefined) =>
      backups.change((record) => withRehearsal(record, { at: new Date(), copy, fault }))
    const kept = (await backups.record()).kept.filter((one) => one.folder === folder)
    const newest = newestOf(copyNames(appId).copiesIn(folder), kept)
    if (!newest) {
      if (kept.length > 0) await note(folder, 'no copy is there')
      throw refused({ code: 'no-copy', folder })
    }
    const copy = join(folder, newest.name)
    const known = kept.find(({ name }) => name === newest.name)
    const begunAt = performance.now()
    const found = await tryOut(copy, newest.at, scratch, known, options)
    await note(copy, found.fault)
    return { copy, madeAt: newest.at, ...found, tookMs: performance.now() - begunAt }
  })
}

/**
 * The newest copy: of this list's own, if there are any; not one from the future, if there are
 * others.
 */
function newestOf(found: readonly FoundCopy[], kept: readonly KeptCopy[]): FoundCopy | undefined {
  const ours = found.filter((one) => kept.some(({ name }) => name === one.name))
  const all = ours.length > 0 ? ours : found
  const now = Date.now()
  return all.findLast(({ at }) => at.getTime() <= now) ?? all.at(-1)
}

/** @param known what the list noted when it made the copy. */
async function tryOut(
  file: string,
  madeAt: Date,
  scratch: string,
  known: KeptCopy | undefined,
  { appId, linkKey, keys, sealKey, dataDir, passphrase }: RehearseOptions,
): Promise<{ fault: string | undefined; counts?: Counts }> {
  try {
    const own = rehearsalKey(dataDir)
    const openers = { identities: own ? [own] : [], passphrase }
    const copy = await openCopy(file, scratch, openers, sealKey)
    const checked = checkCopy(copy.file, appId, false, file)
    const folder = join(scratch, 'list')
    mkdirSync(folder, { mode: 0o700 })
    const list = join(folder, inDataFolder.list)
    renameSync(copy.file, list)
    const { store, backups } = await openStore({ dataDir: folder, appId, linkKey, log: () => {} })
    const counts = await backups.counts()
    // What waits in it is taken in, and counts.
    await store.becomeList(new Date()).finally(() => store.close())
    const isAsMade = known ? known.digest === copy.digest : copy.isOurs
    const faults = [
      ...(isAsMade ? [] : ['it is not as it was made']),
      ...(copy.seal === 'wrong' ? ['its seal is wrong'] : []),
      ...differences(counts, checked.counts),
      ...keyFaults(checked.keys, keys, (name) => isOlder(join(dataDir, name), madeAt)),
    ]
    return { fault: faults.join('; ') || undefined, counts }
  } catch (cause) {
    // A fault of the copy; any other error is a fault of ours.
    if (!(cause instanceof StoreUnavailable || cause instanceof CannotDecrypt)) throw cause
    return { fault: cause.message }
  }
}

function differences(found: Counts, expected: Counts): string[] {
  return Object.entries(expected)
    .filter(([name, number]) => found[name] !== number)
    .map(([name, number]) => `${found[name]} ${name} instead of ${number}`)
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

const isOlder = (file: string, time: Date) => statSync(file).mtime < time
