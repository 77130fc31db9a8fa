import { accessSync, chmodSync, constants, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, isAbsolute, join, relative, sep } from 'node:path'
import { BESIDE_LIST, inDataFolder } from '../shared/data-folder.ts'

/** A file system has it from the beginning. */
const LOST_AND_FOUND = 'lost+found'
const names = new Set<string>([...Object.values(inDataFolder), LOST_AND_FOUND])

const isOurs = (name: string) =>
  names.has(name) || (name.startsWith(BESIDE_LIST) && name !== BESIDE_LIST)

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
  const inPlace = readdirSync(place)
  const ours = inPlace.filter(isOurs)
  for (const name of ours) mustBeUsable(join(place, name))
  if (ours.length === inPlace.length) takeRights(place)
  else if (isReadable(place)) throw new Error(readable(place))
  for (const name of ours) takeRights(join(place, name))
}

/** Checks a folder or file that root may have made, as often in a container. */
function mustBeUsable(path: string) {
  // This belongs to the file system, and we do not need it.
  if (basename(path) === LOST_AND_FOUND) return
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
    if ((statSync(path).mode & 0o007) !== 0) throw new Error(readable(path), { cause })
  }
}

/** Whether it is ours to change. */
const isOwn = (path: string) => [statSync(path).uid, 0].includes(process.geteuid?.() ?? 0)

function readable(path: string): string {
  const run = isOwn(path) ? 'run "chmod go-rwx' : 'as its owner or as root, run "chmod o-rwx'
  return `others may read ${path}: ${run} ${path}", or choose another folder`
}

/**
 * Whether anybody may read it who need not. What belongs to another user we use through our group,
 * as in a container with `--user` or on a volume with `fsGroup`: the group is its owner's to decide.
 */
function isReadable(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat !== undefined && (stat.mode & (isOwn(path) ? 0o077 : 0o007)) !== 0
}

/** Whether a place is a folder or in it. @param place a real path. */
export function isIn(place: string, folder: string): boolean {
  try {
    const way = relative(realpathSync(folder), place)
    return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
  } catch {
    return false
  }
}
