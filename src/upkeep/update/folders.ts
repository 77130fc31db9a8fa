import { lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nextIn, workIn } from './state.ts'

/** npm's Node first: the others have a link to it, by which a unit of systemd may start it. */
export const packageFolders = [
  'scripts/bootstrap/node/node_modules',
  'node_modules',
  'src/store/firestore/node_modules',
] as const

/** What a version has beside its code: packages, and the page that was built. */
const all = [...packageFolders, 'dist'] as const

/** Those that the staged version brings itself: where its packages are the same, it borrows them. */
export function foldersOf(next: string): string[] {
  return all.filter((name) => lstatSync(join(next, name), { throwIfNoEntry: false })?.isDirectory())
}

/**
 * By two renames each. Where one was done before a kill, the next run does the other. What is `before`
 * by then is the whole of the old one, and what is `here` was made since: a start keeps code there.
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

/** The old one is never given up: where it is `before`, it comes back. */
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
