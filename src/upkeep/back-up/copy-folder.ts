import { lstatSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { KeptCopy } from '../../store/backups.ts'
import { isIn } from '../../store/own-folder.ts'
import { refused } from '../refusal.ts'

/** A copy in the folder: an ordinary file with a name of our form. */
export type FoundCopy = Pick<KeptCopy, 'name' | 'at' | 'bytes'>

/** Far longer than a copy takes, and short enough that the next night's run removes it. */
const LEFT_AFTER_MS = 43_200_000

const TIME = String.raw`(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)Z`

/** `opening-bell.2026-11-22T03-10-00Z.sqlite` */
export const nameOf = (appId: string, at: Date, isEncrypted: boolean): string =>
  `${appId}.${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.sqlite${isEncrypted ? '.age' : ''}`

/** All copies of a product in the folder, the oldest first. No link is followed. */
export function copiesIn(folder: string, appId: string): FoundCopy[] {
  const form = new RegExp(`^${appId}\\.${TIME}\\.sqlite(?:\\.age)?$`)
  return readdirSync(folder)
    .flatMap((name) => {
      const [, hour, minute, second] = form.exec(name) ?? []
      const at = new Date(`${hour}:${minute}:${second}Z`)
      const stat = lstatSync(join(folder, name), { throwIfNoEntry: false })
      return Number.isNaN(Number(at)) || !stat?.isFile() ? [] : [{ name, at, bytes: stat.size }]
    })
    .toSorted((a, b) => Number(a.at) - Number(b.at))
}

/**
 * Removes leftovers of killed runs, and SQLite's own beside them, that were not written to for half a day:
 * another server may be making a copy of its list there now.
 */
export function removeUnfinished(folder: string, appId: string): void {
  const form = new RegExp(`^${appId}\\.${TIME}\\.sqlite(\\.age)?\\.[0-9a-f]{8}\\.part(-\\w+)?$`)
  for (const name of readdirSync(folder).filter((one) => form.test(one))) {
    // The other run may have finished it meanwhile.
    const stat = lstatSync(join(folder, name), { throwIfNoEntry: false })
    if (stat?.isFile() && Date.now() - stat.mtimeMs > LEFT_AFTER_MS)
      rmSync(join(folder, name), { force: true })
  }
}

/**
 * The folder of the copies, which must be there.
 *
 * @param others folders that no copy may be in: the data, and what is served or built anew.
 * @returns its real path. @throws Refused
 */
export function copyFolder(folder: string, others: readonly string[]): string {
  const refusal = (why: 'missing' | 'no-folder' | 'inside' | 'open', other?: string) =>
    refused({ code: 'copy-folder', folder, why, other })
  const stat = statSync(folder, { throwIfNoEntry: false })
  if (!stat) throw refusal('missing')
  if (!stat.isDirectory()) throw refusal('no-folder')
  const place = realpathSync(folder)
  for (const other of others) if (isIn(place, other)) throw refusal('inside', other)
  // Windows has no such permissions.
  if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) throw refusal('open')
  return place
}

/** Whether a file is the copy that was made, by its size. */
export function isAsMade(folder: string, { name, bytes }: Pick<KeptCopy, 'name' | 'bytes'>) {
  const stat = lstatSync(join(folder, name), { throwIfNoEntry: false })
  return stat?.isFile() === true && stat.size === bytes
}
