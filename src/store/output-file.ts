import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { orUndefined } from '../shared/or-undefined.ts'

/** Why a file cannot be written there: an operator's mistake, such as the name of the list itself. */
export class OutputRefused extends Error {
  override readonly name = 'OutputRefused'
}

/** Whether the disk is the reason why a file cannot be written, such as a full one: errno(3). */
export function isDiskTrouble(cause: unknown): boolean {
  const { code = '' } = (cause ?? {}) as NodeJS.ErrnoException
  return ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO', 'EACCES', 'EMFILE', 'ENFILE'].includes(code)
}

export type OutputFile = ReturnType<typeof outputFile>

/**
 * Begins a result that gets its name once it is complete. Until then it is `unfinished`, and only its
 * owner can read it. It replaces only an earlier result of the same name: no live file of the data
 * folder under any name, nothing through a link, no device or folder.
 *
 * @param dataDir the folder with the list and the keys. @throws OutputRefused; or the system's
 *   error.
 */
export function outputFile(file: string, dataDir: string) {
  refuseLive(file, dataDir)
  const unfinished = `${file}.${randomBytes(4).toString('hex')}.part`
  closeSync(makeNew(unfinished))
  return {
    unfinished,
    keep() {
      // Checked again, since another file may have come there meanwhile.
      refuseLive(file, dataDir)
      syncFile(unfinished)
      renameSync(unfinished, file)
      syncFolder(dirname(file))
    },
    discard() {
      rmSync(unfinished, { force: true })
    },
  }
}

/** Makes a new file that only its owner can read. @returns it, open. */
export function makeNew(file: string): number {
  const { O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_RDWR } = constants
  return openSync(file, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR, 0o600)
}

/** Waits until what was written into a file would survive a power failure. */
export function syncFile(file: string): void {
  const handle = openSync(file, 'r+')
  fsyncSync(handle)
  closeSync(handle)
}

/** Makes sure that a new or renamed file keeps its name after a power failure. */
export function syncFolder(folder: string): void {
  // Windows cannot open folders, and keeps names by itself.
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

/** Names of results that an earlier run may have written into the data folder. */
const result =
  /^(?!subscribers\.(sqlite|before-|backup-))[^.].*\.(csv|ndjson|json|sqlite|txt|html)$/i
/**
 * The list with SQLite's own files, what an update keeps beside it, the files of back-ups, and the
 * keys.
 */
const live = /^(subscribers\.(sqlite|before-|backup-).*|.*\.key)$/i

function refuseLive(file: string, dataDir: string): void {
  const there = lstatSync(file, { throwIfNoEntry: false })
  if (there?.isSymbolicLink()) throw new OutputRefused('it is a link; name the file itself')
  if (there?.isDirectory()) throw new OutputRefused('it is a folder')
  if (there && !there.isFile()) throw new OutputRefused('it is no ordinary file')
  const name = basename(resolve(file))
  if (isIn(file, dataDir) && (live.test(name) || (there && !result.test(name))))
    throw new OutputRefused('that is a name of the list itself or of its keys; choose another')
  if (there && isLive(there, dataDir))
    throw new OutputRefused('it is the list itself or one of its keys')
  if (there && ['-wal', '-journal'].some((end) => existsSync(file + end)))
    throw new OutputRefused('it is a database that is in use')
}

function isIn(file: string, folder: string): boolean {
  const same = (one: Stats | undefined, other: Stats | undefined) =>
    one !== undefined && one.ino === other?.ino && one.dev === other.dev
  return same(statOf(dirname(resolve(file))), statOf(folder))
}

/** Whether it is a file of the data folder under another name. */
function isLive(there: Stats, dataDir: string): boolean {
  if (!statOf(dataDir)) return false
  return readdirSync(dataDir).some((name) => {
    const other = statOf(join(dataDir, name))
    return !result.test(name) && other?.ino === there.ino && other.dev === there.dev
  })
}

const statOf = (path: string): Stats | undefined => orUndefined(() => lstatSync(realpathSync(path)))
