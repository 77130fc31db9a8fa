import type { Dirent } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { HealthLight } from '../contract/today.ts'

/** How far behind it may be. It usually follows within a second, and checks once a minute. */
const BEHIND_MS = 5 * 60_000
/** Litestream keeps some hundred files; there is no need to look at more. */
const MOST_FILES = 5000

/**
 * Whether Litestream follows the file, where it is used: it keeps what it has read in a folder
 * beside the file. Whether its destination has received that, only Litestream knows.
 *
 * @param file the list's. @returns `undefined` where no Litestream was ever beside it.
 */
export async function replicaLight(file: string): Promise<HealthLight | undefined> {
  const name = 'Replica'
  const folder = join(dirname(file), `.${basename(file)}-litestream`)
  const found = await newestIn(folder).catch((error) => error as NodeJS.ErrnoException)
  if (found instanceof Error) {
    if (found.code === 'ENOENT' || found.code === 'ENOTDIR') return undefined
    return { name, tone: 'calm', text: 'Litestream, whose folder cannot be read from here' }
  }
  const written = await Promise.all([file, `${file}-wal`].map(timeOf))
  const isBehind = Math.max(...written) - found > BEHIND_MS
  return isBehind
    ? { name, tone: 'warn', text: 'Litestream stopped following', at: found }
    : { name, tone: 'good', text: 'Litestream follows' }
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
