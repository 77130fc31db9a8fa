import { join } from 'node:path'
import type { Backups, Content } from '../../store/backups.ts'
import type { CopyNames, FoundCopy } from './copy-folder.ts'

export interface OwnCopiesOptions {
  /** Its real path. */
  readonly folder: string
  readonly names: CopyNames
  /** The rule for them from now on, such as `7,4,12`. */
  readonly keep: string
  /** What a copy of this list held when it was made; `undefined` for one of another list. */
  readonly contentOf: (file: string) => Content | undefined
  /** Decrypts a copy. @returns the file, or `undefined` where it cannot be opened. */
  readonly decrypted: (file: string) => Promise<string | undefined>
}

/**
 * Records the copies in a folder that were made with this list's `link.key` as its own: otherwise,
 * after a restore, no rule would ever remove them.
 *
 * @returns how many were new.
 */
export async function knowOwnCopies(
  backups: Backups,
  { folder, names, keep, contentOf, decrypted }: OwnCopiesOptions,
): Promise<number> {
  const known = (await backups.keptCopies()).filter((one) => one.folder === folder)
  let found = 0
  for (const copy of names.copiesIn(folder)) {
    if (known.some(({ name }) => name === copy.name)) continue
    const content = await read(copy)
    if (!content) continue
    const { name, at, bytes } = copy
    await backups.noteCopy({ folder, name, at, bytes, keep, content })
    found += 1
  }
  return found

  async function read({ name, isEncrypted }: FoundCopy): Promise<Content | undefined> {
    const file = join(folder, name)
    const plain = isEncrypted ? await decrypted(file) : file
    return plain === undefined ? undefined : contentOf(plain)
  }
}
