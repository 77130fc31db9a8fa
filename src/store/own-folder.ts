import { chmodSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'

/** What we keep in a data folder, and what a fresh file system has in it. */
const OURS = /^(subscribers\..+|session\.key|link\.key|lost\+found)$/

/**
 * Sees to it that the data folder and what is in it are its owner's alone. Rights are only taken from
 * a folder that holds nothing of anybody else: `DATA_DIR=/tmp` must not lock everyone out of that.
 *
 * @param served folders that are served, or made anew by a build; it may be in none of them.
 * @throws with one line that says what is wrong.
 */
export function ownFolder(folder: string, served: readonly string[]): void {
  const place = realpathSync(folder)
  for (const other of served)
    if (isIn(place, other)) throw new Error(`it is in ${other}, which is served and built anew`)
  // Windows has rights of another kind.
  if (process.platform === 'win32') return
  const names = readdirSync(place)
  if (names.every((name) => OURS.test(name))) takeRights(place)
  else if (isReadable(place)) throw new Error(`others may read ${place}: ${remedy(place)}`)
  for (const name of names) if (OURS.test(name)) takeRights(join(place, name))
}

function takeRights(path: string) {
  if (!isReadable(path)) return
  try {
    chmodSync(path, statSync(path).mode & 0o700)
  } catch (cause) {
    // Another's folder that we have by way of our group; who else is in that is up to its owner.
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
