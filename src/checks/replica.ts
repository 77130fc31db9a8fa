import type { Dirent } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { found } from './check.ts'

/** How far behind it may be. It usually follows within a second, and checks once a minute. */
const BEHIND_MS = 5 * 60_000
/** Litestream keeps some hundred files; there is no need to look at more. */
const MOST_FILES = 5000

/**
 * Whether Litestream follows the file, where it is used: it keeps what it has read in a folder
 * beside the file. Whether its destination has received that, only Litestream knows.
 *
 * @param file the list's. @returns nothing where no Litestream was ever beside it.
 */
export async function replicaFound(file: string) {
  const folder = join(dirname(file), `.${basename(file)}-litestream`)
  const at = await newestIn(folder).catch((error) => error as NodeJS.ErrnoException)
  if (at instanceof Error) {
    const isThere = at.code !== 'ENOENT' && at.code !== 'ENOTDIR'
    return isThere ? [found('replica-unread', 'note')] : []
  }
  const written = await Promise.all([file, `${file}-wal`].map(timeOf))
  const isBehind = Math.max(...written) - at > BEHIND_MS
  return [isBehind ? found('replica-behind', 'problem', { at }) : found('replica', 'fine')]
}

/** When something beneath a folder was last written, in milliseconds since 1970. */
async function newestIn(folder: string): Promise<number> {
  let newest = 0
  let count = 0
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (!(entry as Dirent).isFile()) continue
    newest = Math.max(newest, await timeOf(join(entry.parentPath, entry.name)))
    count += 1
    if (count >= MOST_FILES) break
  }
  return newest
}

/** A file may be removed meanwhile; it then has no time. */
const timeOf = (file: string) =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
