import { closeSync, existsSync, linkSync, mkdirSync, realpathSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { addressIds } from '../../keys/address-id.ts'
import { inDataFolder } from '../../shared/data-folder.ts'
import { type KeptCopy, type Merged, withCopy } from '../../store/backups.ts'
import { type HeldList, heldAlone, openStore, refuseUnderUpdate } from '../../store/open-store.ts'
import { makeNew, syncFile, syncFolder } from '../../store/output-file.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { refused } from '../refusal.ts'
import { keysOf, putKeys } from './copied-keys.ts'
import { beforeRestore } from './copies-left.ts'
import { type OpenCopy, type OpenOptions, openCopy } from './copy-file.ts'
import { copiesIn } from './copy-folder.ts'
import { alone } from './scratch.ts'
import type { SealState } from './seal.ts'

export interface RestoreOptions extends OpenOptions {
  readonly dataDir: string
  /** That of the settings, which counts instead of the file. */
  readonly linkKey?: Buffer | undefined
  /** Whether one from the future is taken. */
  readonly ignoresClock?: boolean | undefined
  /** A folder with copies of this list, and the rule for them. */
  readonly copies?: { readonly folder: string; readonly keep: string } | undefined
}

export interface Restored extends Merged {
  readonly seal: SealState
  readonly madeAt: Date
  /** The names of keys that are in use again. */
  readonly keys: readonly string[]
  /** The list that was there. */
  readonly before?: string | undefined
  /** When the newest copy in the folder was made. */
  readonly newest?: Date | undefined
}

/** `restore --check`: reads a copy, and changes nothing. @throws Refused, StoreUnavailable */
export const lookInto = (options: RestoreOptions): Promise<OpenCopy> =>
  alone(options.dataDir, (scratch) => openCopy({ ...options, isTrusted: true }, scratch))

/** How far the clock of the machine that made a copy may be ahead of ours. */
const CLOCKS_DIFFER_MS = 5 * 60_000

/**
 * `restore`: puts a copy into the place of a list of nobody, and merges it into any other. That is made
 * beside the list, and takes its place at once. @throws Refused, StoreUnavailable
 */
export function restore(options: RestoreOptions): Promise<Restored> {
  const { dataDir, file, appId } = options
  refuseUnderUpdate(dataDir)
  return alone(dataDir, async (scratch) => {
    const copy = await openCopy(options, scratch)
    const { seal, at: madeAt } = copy
    if (!options.ignoresClock && Number(madeAt) > Date.now() + CLOCKS_DIFFER_MS)
      throw refused({ code: 'from-later', file, madeAt })
    const linkKey = linkKeyFor(options, copy)
    const list = join(dataDir, inDataFolder.list)
    const held = heldAlone(list)
    if (!held) throw refused({ code: 'list-in-use', dataDir })
    try {
      const there = copiesThere(options)
      // A copy in the folder is one of those that the rule removes again.
      const isOurs = seal === 'whole'
      const own = there.filter((one) => isOurs && join(one.folder, one.name) === realpathSync(file))
      const folder = join(scratch, 'list')
      const made = await listFrom(copy, folder, { appId, linkKey, own }, held)
      const ready = join(folder, inDataFolder.list)
      // As on a full disk: what is newest would be lost.
      if (existsSync(`${ready}-wal`)) throw new StoreUnavailable(`${ready}-wal remains`)
      const keys = putKeys(dataDir, keysFor(copy, options), scratch)
      const before = held.isOfSomebody ? beforeRestore(dataDir) : undefined
      if (before) linkSync(list, before)
      syncFile(ready)
      renameSync(ready, list)
      syncFolder(dataDir)
      const newest = there.findLast(({ at }) => Number(at) <= Date.now())?.at
      return { ...made, seal, madeAt, keys, before, newest }
    } finally {
      held.letGo()
    }
  })
}

/** The key by which a copy and the list know people. */
function linkKeyFor({ dataDir, linkKey: set }: RestoreOptions, { keys, fingerprint }: OpenCopy) {
  const [there, theirs] = [keysOf(dataDir)['link.key'], keys['link.key']]
  if (!set && there && theirs && !there.equals(theirs))
    throw refused({ code: 'other-link-key', dataDir })
  const key = set ?? there ?? theirs
  if (!key || (fingerprint && fingerprint !== addressIds(Buffer.from(key)).fingerprint))
    throw new StoreUnavailable(
      'The copy needs the LINK_KEY that it was made with: put that link.key back.',
    )
  return Buffer.from(key)
}

/** The keys that come with a copy. Without link.key, those who left are not recognised; one that is set counts. */
function keysFor({ keys, seal }: OpenCopy, { linkKey }: RestoreOptions) {
  const { [inDataFolder.codeKey]: codeKey, ...link } = keys
  return {
    ...(!linkKey && link),
    ...(seal === 'whole' && codeKey && { [inDataFolder.codeKey]: codeKey }),
  }
}

function copiesThere({ copies, appId }: RestoreOptions): KeptCopy[] {
  return copies ? copiesIn(copies.folder, appId).map((one) => ({ ...one, ...copies })) : []
}

export interface ListOptions {
  readonly appId: string
  readonly linkKey: Buffer
  /** The copy, where a rule keeps it. */
  readonly own?: readonly KeptCopy[]
}

/**
 * Makes a list of a copy, in a folder that is made. @param held the list that it is merged with.
 * @throws StoreUnavailable
 */
export async function listFrom(
  { file: copied, seal }: OpenCopy,
  folder: string,
  { appId, linkKey, own = [] }: ListOptions,
  held?: HeldList,
): Promise<Merged> {
  const [file, now] = [join(folder, inDataFolder.list), new Date()]
  mkdirSync(folder, { mode: 0o700 })
  closeSync(makeNew(file))
  const isOurs = seal === 'whole'
  const isPut = isOurs && !held?.isOfSomebody
  if (isPut) renameSync(copied, file)
  else held?.copyTo(file)
  const { store, backups } = await openStore({ dataDir: folder, appId, linkKey, log: () => {} })
  try {
    await store.hold.begin({ isBelieved: isOurs, since: now })
    const merged = isPut
      ? await store.becomeList(now)
      : await store.restore(copied, { isBelieved: isOurs })
    await backups.change((record) => own.reduce(withCopy, record))
    return merged
  } finally {
    await store.close()
  }
}
