import { readdir, stat } from 'node:fs/promises'
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
  const kept = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => error,
  )
  if (kept instanceof Error) {
    const isThere = kept.code !== 'ENOENT' && kept.code !== 'ENOTDIR'
    return isThere ? [found('replica-unread', 'note')] : []
  }
  const files = kept.filter((entry) => entry.isFile()).slice(0, MOST_FILES)
  const times = files.map(({ parentPath, name }) => timeOf(join(parentPath, name)))
  const at = Math.max(0, ...(await Promise.all(times)))
  const written = await Promise.all([file, `${file}-wal`].map(timeOf))
  const isBehind = Math.max(...written) - at > BEHIND_MS
  return [isBehind ? found('replica-behind', 'problem', { at }) : found('replica', 'fine')]
}

/** A file may be removed meanwhile; it then has no time. */
const timeOf = (file: string) =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
