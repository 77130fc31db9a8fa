import { lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nextIn, workIn } from './state.ts'

/** npm's Node first: the others have a link to it, by which a unit of systemd may start it. */
export const packageFolders = [
  'scripts/bootstrap/node/node_modules',
  'node_modules',
  'src/store/firestore/node_modules',
] as const

/** The folders of a version beside its code: packages, and the built page. */
const all = [...packageFolders, 'dist'] as const

/** The folders that the staged version has itself: it borrows packages that are the same. */
export function foldersOf(next: string): string[] {
  return all.filter((name) => lstatSync(join(next, name), { throwIfNoEntry: false })?.isDirectory())
}

/**
 * Two renames each. If a kill comes between them, the next run does the second. `before` then holds
 * the whole old folder, and `here` was made since by a start, which caches code there.
 */
export function foldersForth(root: string, names: readonly string[]): void {
  for (const name of names) {
    const { here, next, before } = placesOf(root, name)
    if (!isThere(next)) continue
    if (isThere(before)) drop(here)
    else if (isThere(here)) renameSync(here, before)
    renameSync(next, here)
  }
}

/** The old folder is never lost: if it is `before`, it comes back. */
export function foldersBack(root: string, names: readonly string[]): void {
  for (const name of names) {
    const { here, next, before } = placesOf(root, name)
    if (!isThere(next) && isThere(here)) renameSync(here, next)
    if (!isThere(before)) continue
    drop(here)
    renameSync(before, here)
  }
}

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined
const drop = (path: string) => rmSync(path, { recursive: true, force: true })

function placesOf(root: string, name: string) {
  const places = {
    here: join(root, name),
    next: join(nextIn(root), name),
    before: join(workIn(root), 'before', name),
  }
  for (const place of Object.values(places)) mkdirSync(dirname(place), { recursive: true })
  return places
}
