import { accessSync, chmodSync, constants, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, isAbsolute, join, relative, sep } from 'node:path'

/** The names of our files in a data folder, and those of a new file system. */
const OURS = /^(subscribers\..+|session\.key|link\.key|letters|rehearsal\.key|lost\+found)$/

/**
 * Makes the data folder and its files accessible to their owner only. Permissions are changed only
 * if the folder contains nothing else: `DATA_DIR=/tmp` must not lock everyone out of `/tmp`.
 *
 * @param served folders that are served or replaced by a build; the data folder must be in none.
 * @throws with the fault in one line.
 */
export function ownFolder(folder: string, served: readonly string[]): void {
  const place = realpathSync(folder)
  for (const other of served)
    if (isIn(place, other)) throw new Error(`it is in ${other}, which is served and built anew`)
  // Windows has no such permissions.
  if (process.platform === 'win32') return
  mustBeUsable(place)
  const names = readdirSync(place)
  for (const name of names) if (OURS.test(name)) mustBeUsable(join(place, name))
  if (names.every((name) => OURS.test(name))) takeRights(place)
  else if (isReadable(place)) throw new Error(`others may read ${place}: ${remedy(place)}`)
  for (const name of names) if (OURS.test(name)) takeRights(join(place, name))
}

/** Checks a folder or file that root may have made, as often in a container. */
function mustBeUsable(path: string) {
  // This belongs to the file system, and we do not need it.
  if (basename(path) === 'lost+found') return
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    // A temporary file, such as a back-up's, may be gone by now.
    if (code === 'ENOENT') return
    if (code !== 'EACCES') throw cause
    const { uid } = statSync(path)
    const us = process.getuid?.()
    throw new Error(
      `user ${us} may not read and write ${path}, which belongs to user ${uid}: as root, run "chown -R ${us} ${path}", in a container on the folder or the volume that is mounted there`,
      { cause },
    )
  }
}

function takeRights(path: string) {
  if (!isReadable(path)) return
  try {
    chmodSync(path, statSync(path).mode & 0o700)
  } catch (cause) {
    // A folder of another user that we may use through our group; its owner decides on the group.
    if ((statSync(path).mode & 0o007) !== 0)
      throw new Error(`others may read ${path}: ${remedy(path)}`, { cause })
  }
}

const remedy = (path: string) => `run "chmod go-rwx ${path}", or choose another folder`

function isReadable(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat !== undefined && (stat.mode & 0o077) !== 0
}

function isIn(place: string, folder: string): boolean {
  try {
    const way = relative(realpathSync(folder), place)
    return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
  } catch {
    return false
  }
}
