import { closeSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { addressIds } from '../../keys/address-id.ts'
import type { SealState } from '../../keys/seal-key.ts'
import { inDataFolder } from '../../shared/data-folder.ts'
import { type CheckedCopy, type Merged, withCopy } from '../../store/backups.ts'
import {
  checkCopy,
  type HeldList,
  heldAlone,
  openStore,
  refuseUnderUpdate,
} from '../../store/open-store.ts'
import { makeNew, syncFile, syncFolder } from '../../store/output-file.ts'
import type { Backups } from '../../store/store.ts'
import { CopyFromLater, StoreUnavailable } from '../../store/subscriber-store.ts'
import { refused } from '../refusal.ts'
import { CannotDecrypt, type Openers } from './age.ts'
import { keysOf, putKeys } from './copied-keys.ts'
import { keepBefore } from './copies-left.ts'
import { copiesIn } from './copy-folder.ts'
import { type OpenCopy, openCopy } from './open-copy.ts'
import { alone } from './scratch.ts'

export interface RestoreOptions {
  /** The copy. */
  readonly file: string
  readonly appId: string
  readonly dataDir: string
  /** That of the settings, which counts instead of the file. */
  readonly linkKey?: Buffer | undefined
  /** Whether the settings have that too. */
  readonly hasInvitationKey?: boolean | undefined
  readonly sealKey?: Buffer | undefined
  /** What opens an encrypted one. */
  readonly openers: Openers
  /** Whether the operator wants what anybody may have made. */
  readonly isTrusted?: boolean | undefined
  /** Whether one from the future is taken. */
  readonly ignoresClock?: boolean | undefined
  /** A folder with copies of this list, and the rule for them. */
  readonly copies?: { readonly folder: string; readonly keep: string } | undefined
}

export interface Restored extends Merged {
  readonly seal: SealState
  readonly isOurs: boolean
  readonly madeAt: Date
  /** The names of keys that are in use again. */
  readonly keys: readonly string[]
  /** The list that was there. */
  readonly before?: string | undefined
  /** How many copies in the folder are known again, and when the newest of all was made. */
  readonly found: number
  readonly newest?: Date | undefined
}

/** A copy that was read. */
export interface Looked extends CheckedCopy, OpenCopy {}

/** `restore --check`: reads a copy, and changes nothing. @throws Refused, StoreUnavailable */
export const lookInto = (options: RestoreOptions): Promise<Looked> =>
  alone(options.dataDir, (scratch) => looked(options, scratch, true))

async function looked(
  { file, appId, openers, sealKey }: RestoreOptions,
  scratch: string,
  mayBeOthers: boolean,
): Promise<Looked> {
  const copy = await openCopy(file, scratch, openers, sealKey).catch((cause) => {
    if (!(cause instanceof CannotDecrypt)) throw cause
    throw refused({ code: 'not-decrypted', file, why: cause.message }, { cause })
  })
  // Nothing of a file of somebody else's is read before.
  if (!copy.isOurs && !mayBeOthers) throw refused({ code: 'not-sealed', file, seal: copy.seal })
  return { ...copy, ...checkCopy(copy.file, appId, copy.isOurs, file) }
}

/** How far the clock of the machine that made a copy may be ahead of ours. */
const CLOCKS_DIFFER_MS = 5 * 60_000

/**
 * `restore`: puts a copy into the place of a list of nobody, and merges it into any other. That is made
 * beside the list, and takes its place at once. @throws Refused, StoreUnavailable
 */
export function restore(options: RestoreOptions): Promise<Restored> {
  const { dataDir, file } = options
  refuseUnderUpdate(dataDir)
  return alone(dataDir, async (scratch) => {
    const copy = await looked(options, scratch, options.isTrusted ?? false)
    const { seal, isOurs, at: madeAt } = copy
    if (!options.ignoresClock && Number(madeAt) > Date.now() + CLOCKS_DIFFER_MS)
      throw new CopyFromLater(
        `${file} was made at ${madeAt.toISOString()}, and this machine's clock says ${new Date().toISOString()}. Set the clock right.`,
      )
    const linkKey = linkKeyFor(options, copy)
    const list = join(dataDir, inDataFolder.list)
    const held = heldAlone(list)
    if (!held) throw refused({ code: 'list-in-use', dataDir })
    try {
      const folder = join(scratch, 'list')
      mkdirSync(folder, { mode: 0o700 })
      const made = await listFrom(copy, held, { ...options, linkKey }, folder)
      const keys = putKeys(dataDir, keysFor(copy, options), scratch)
      const ready = join(folder, inDataFolder.list)
      // As on a full disk: what is newest would be lost.
      if (existsSync(`${ready}-wal`)) throw new StoreUnavailable(`${ready}-wal remains`)
      const before = held.isOfSomebody ? keepBefore(list) : undefined
      syncFile(ready)
      renameSync(ready, list)
      syncFolder(dataDir)
      return { ...made, seal, isOurs, madeAt, keys, before }
    } finally {
      held.letGo()
    }
  })
}

/** The key by which a copy and the list know people. */
function linkKeyFor(options: RestoreOptions, { keys, fingerprint }: CheckedCopy): Buffer {
  const { dataDir, linkKey: set } = options
  const [there, theirs] = [keysOf(dataDir)['link.key'], keys['link.key']]
  if (!set && there && theirs && !Buffer.from(theirs).equals(there))
    throw refused({ code: 'other-link-key', dataDir })
  const key = set ?? there ?? theirs
  if (!key || (fingerprint && fingerprint !== addressIds(Buffer.from(key)).fingerprint))
    throw new StoreUnavailable(
      'The copy needs the LINK_KEY that it was made with: put that link.key back.',
    )
  return Buffer.from(key)
}

/** The keys that come with a copy, and are not in the settings. */
function keysFor(
  { keys: { 'link.key': link, 'invitation.key': invitation }, isOurs, seal }: Looked,
  { linkKey, hasInvitationKey, sealKey }: RestoreOptions,
) {
  return {
    // Without link.key, those who left are not recognised.
    ...(link && !linkKey && { 'link.key': link }),
    ...(isOurs && invitation && !hasInvitationKey && { 'invitation.key': invitation }),
    ...(seal === 'whole' && sealKey && { [inDataFolder.sealKey]: sealKey }),
  }
}

/** Makes the list that is to be, in a folder of ours. */
async function listFrom(
  copy: Looked,
  held: HeldList,
  options: RestoreOptions & { readonly linkKey: Buffer },
  folder: string,
): Promise<Merged & Pick<Restored, 'found' | 'newest'>> {
  const { isOurs, counts } = copy
  const { appId, linkKey } = options
  const [file, now] = [join(folder, inDataFolder.list), new Date()]
  closeSync(makeNew(file))
  const isPut = isOurs && !held.isOfSomebody
  if (isPut) renameSync(copy.file, file)
  else held.copyTo(file)
  const { store, backups } = await openStore({ dataDir: folder, appId, linkKey, log: () => {} })
  try {
    await store.hold.begin({ isBelieved: isOurs, since: now })
    const { subscribers: added, announcements } = counts
    const merged = isPut
      ? {
          ...{ added, announcements, stillToTell: await store.becomeList(now) },
          ...{ known: 0, forgotten: 0, refused: 0, opening: (await store.opening.get())?.url },
        }
      : await store.restore(copy.file, { isBelieved: isOurs })
    return { ...merged, ...(await knowOwn(backups, options, folder)) }
  } finally {
    await store.close()
  }
}

/** What cannot be read is not known as ours. */
function notOurs(cause: unknown): undefined {
  const { code = '' } = cause as NodeJS.ErrnoException
  if (!(cause instanceof CannotDecrypt || ['EACCES', 'EPERM', 'EIO'].includes(code))) throw cause
}

/**
 * Notes the copies of a folder that only we can have made: otherwise no rule would ever remove them.
 *
 * @returns how many were new, and when the newest of all was made.
 */
async function knowOwn(
  backups: Backups,
  { copies, appId, sealKey, openers }: RestoreOptions,
  scratch: string,
): Promise<Pick<Restored, 'found' | 'newest'>> {
  if (!copies) return { found: 0 }
  const { folder, keep } = copies
  const known = async () => (await backups.record()).kept.filter((one) => one.folder === folder)
  const before = await known()
  for (const { name, at, bytes } of copiesIn(folder, appId)) {
    if (before.some((one) => one.name === name)) continue
    // Nothing of the list that was just restored depends on it.
    const file = join(folder, name)
    const copy = await openCopy(file, scratch, openers, sealKey).catch(notOurs)
    if (copy?.isOurs)
      await backups.change((record) => withCopy(record, { folder, name, at, bytes, keep }))
  }
  const after = await known()
  const newest = after.findLast(({ at }) => Number(at) <= Date.now())?.at
  return { found: after.length - before.length, newest }
}
