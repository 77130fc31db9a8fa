import { closeSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { counted } from '../../shared/counted.ts'
import {
  type Backups,
  type Content,
  type CopiedKeys,
  difference,
  type KeptCopy,
} from '../../store/backups.ts'
import type { OpenedStore } from '../../store/open-store.ts'
import { makeNew } from '../../store/output-file.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { refused } from '../refusal.ts'
import type { Report } from '../report.ts'
import { CannotDecrypt, decryptFile } from './age.ts'
import { copyFolder, copyNames, type FoundCopy } from './copy-folder.ts'
import { rehearsalKey } from './rehearsal-key.ts'
import { alone } from './scratch.ts'

export interface RehearseOptions {
  /** The folder of the copies. */
  readonly to: string
  readonly appId: string
  readonly dataDir: string
  readonly served: readonly string[]
  /** Those that are in use now. */
  readonly keys: CopiedKeys
  /** Of the settings, where copies are encrypted with one. */
  readonly passphrase?: string | undefined
  /** Checks the seal of the copy. */
  readonly sealKey?: Buffer | undefined
  /** Opens an empty list in a folder, with the same keys. */
  readonly openIn: (folder: string) => Promise<OpenedStore>
}

/** The result. */
export interface Rehearsal {
  /** The file of the copy, and when it was made. */
  readonly copy: string
  readonly madeAt: Date
  /** Why it cannot be restored as it was. */
  readonly fault: string | undefined
  readonly content?: Content
  readonly tookMs: number
}

/**
 * `backup --rehearse`: restores the newest copy into a scratch list and compares it with the list's
 * content when the copy was made. The result is stored for `status`.
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
    const kept = (await backups.keptCopies()).filter((one) => one.folder === folder)
    const newest = newestOf(copyNames(appId).copiesIn(folder), kept)
    if (!newest) {
      if (kept.length > 0)
        await backups.noteRehearsal({ at: new Date(), copy: folder, fault: 'no copy is there' })
      throw refused({ code: 'no-copy', folder })
    }
    const copy = join(folder, newest.name)
    const known = kept.find(({ name }) => name === newest.name)
    const begunAt = performance.now()
    const found = await tryOut(copy, newest.at, scratch, known?.content, options)
    await backups.noteRehearsal({ at: new Date(), copy, fault: found.fault })
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

/**
 * @param expected the content that the list noted when it made the copy; else the copy's own note.
 */
async function tryOut(
  copy: string,
  madeAt: Date,
  scratch: string,
  expected: Content | undefined,
  { openIn, keys, sealKey, dataDir, passphrase }: RehearseOptions,
): Promise<{ fault: string | undefined; content?: Content }> {
  const empty = join(scratch, 'restored')
  mkdirSync(empty, { mode: 0o700 })
  const opened = await openIn(empty)
  try {
    const plain = await decrypted(copy, scratch, { dataDir, passphrase })
    const checked = await opened.copies.check(plain)
    const was = expected ?? checked.made?.content
    if (!was) return { fault: 'it does not say what it held when it was made' }
    const reading = { sealKey, clock: 'ours', isBelieved: true } as const
    const { refused, seal } = await opened.copies.restore(plain, reading)
    const content = await opened.backups.content()
    if (!content) throw new Error('A list in a folder can always be compared.')
    const faults = [
      ...(refused > 0 ? [`${counted(refused, 'row')} of it cannot be read`] : []),
      ...[difference(content, was) ?? []].flat(),
      ...(seal === 'wrong' ? ['its seal is wrong'] : []),
      ...keyFaults(checked.keys, keys, (name) => isOlder(join(dataDir, name), madeAt)),
    ]
    return { fault: faults.join('; ') || undefined, content }
  } catch (cause) {
    // A fault of the copy; any other error is a fault of ours.
    if (!(cause instanceof StoreUnavailable || cause instanceof CannotDecrypt)) throw cause
    return { fault: cause.message }
  } finally {
    await opened.store.close()
  }
}

async function decrypted(
  copy: string,
  scratch: string,
  { dataDir, passphrase }: Pick<RehearseOptions, 'dataDir' | 'passphrase'>,
): Promise<string> {
  if (!copy.endsWith('.age')) return copy
  const plain = join(scratch, 'copy.sqlite')
  closeSync(makeNew(plain))
  const own = rehearsalKey(dataDir)
  await decryptFile(copy, plain, { identities: own ? [own] : [], passphrase })
  return plain
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
