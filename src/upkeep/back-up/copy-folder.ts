import { lstatSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import type { KeptCopy } from '../../store/backups.ts'
import { type BackUpRefusal, refused } from '../refusal.ts'

/** A copy in the folder: an ordinary file with a name of our form. */
export interface FoundCopy {
  readonly name: string
  readonly at: Date
  readonly bytes: number
  readonly isEncrypted: boolean
}

/** Far longer than a copy takes, and short enough that the next night's run removes it. */
const LEFT_AFTER_MS = 43_200_000

/** The names of one product's copies; another product's in the same folder are not seen. */
interface CopyNames {
  /** `opening-bell.2026-11-22T03-10-00Z.sqlite` */
  nameOf(at: Date, isEncrypted: boolean): string
  /** All copies in the folder, the oldest first. No link is followed. */
  copiesIn(folder: string): FoundCopy[]
  /**
   * Removes leftovers of killed runs that were not written to for half a day: another server may be
   * making a copy of its list there now.
   */
  removeUnfinished(folder: string): void
}

export function copyNames(appId: string): CopyNames {
  const time = String.raw`(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)`
  const whole = new RegExp(`^${appId}\\.${time}\\.sqlite(\\.age)?$`)
  // SQLite's own beside it as well.
  const unfinished = new RegExp(
    `^${appId}\\.${time}\\.sqlite(\\.age)?\\.[0-9a-f]{8}\\.part(-\\w+)?$`,
  )
  return {
    nameOf: (at, isEncrypted) =>
      `${appId}.${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.sqlite${isEncrypted ? '.age' : ''}`,

    copiesIn: (folder) =>
      readdirSync(folder)
        .flatMap((name) => {
          const [, written, age] = whole.exec(name) ?? []
          const at = written === undefined ? undefined : timeOf(written)
          const stat = lstatSync(join(folder, name), { throwIfNoEntry: false })
          if (!at || !stat?.isFile()) return []
          return [{ name, at, bytes: stat.size, isEncrypted: age !== undefined }]
        })
        .toSorted((a, b) => Number(a.at) - Number(b.at)),

    removeUnfinished(folder) {
      for (const name of readdirSync(folder).filter((one) => unfinished.test(one))) {
        // The other run may have finished it meanwhile.
        const stat = lstatSync(join(folder, name), { throwIfNoEntry: false })
        if (stat?.isFile() && Date.now() - stat.mtimeMs > LEFT_AFTER_MS)
          rmSync(join(folder, name), { force: true })
      }
    },
  }
}

function timeOf(written: string): Date | undefined {
  const [date, clock = ''] = written.split('T')
  const time = new Date(`${date}T${clock.replaceAll('-', ':')}`)
  return Number.isNaN(time.getTime()) ? undefined : time
}

type CopyFolderRefusal = Extract<BackUpRefusal, { readonly code: 'copy-folder' }>

/**
 * The folder of the copies, which must be there.
 *
 * @param others folders that no copy may be in: the data, and what is served or built anew.
 * @returns its real path. @throws Refused
 */
export function copyFolder(folder: string, others: readonly string[]): string {
  const refusal = (why: CopyFolderRefusal['why'], other?: string) =>
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

function isIn(place: string, folder: string): boolean {
  const there = statSync(folder, { throwIfNoEntry: false })
  if (!there) return false
  const way = relative(realpathSync(folder), place)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
