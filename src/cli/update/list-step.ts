/**
 * One step of an update with the list, as a process of the list's owner, who may have put anything
 * there: `node list-step.ts look|keep|back <data folder>`. A step can be done again after a kill.
 */
import { copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isAnnouncing, LIST } from '../../store/list-at-rest.ts'
import { isBusy } from '../../store/sole-holder.ts'
import { keptList, updateMark } from '../../store/under-update.ts'

/** How long to wait for other programs of ours. */
const WAIT_MS = 10_000

const [step = '', folder = ''] = process.argv.slice(2)
const [file, kept, mark] = [join(folder, LIST), keptList(folder), updateMark(folder)]

const steps: Readonly<Record<string, () => void>> = {
  look() {
    if (isAnnouncing(folder))
      throw new Error('an announcement is under way: wait for its end, or stop it, first')
  },
  /** Keeps all other programs away from the list, and keeps it as it is. */
  keep() {
    writeFileSync(mark, '')
    if (!existsSync(file)) return
    versionAlone(file)
    copyFileSync(file, `${kept}.part`)
    renameSync(`${kept}.part`, kept)
  },
  /** Brings the kept list back where a step of the new version has changed the other, and lets go of it. */
  back() {
    if (existsSync(kept) && isChanged()) {
      for (const end of ['-wal', '-shm', '-journal']) rmSync(file + end, { force: true })
      renameSync(kept, file)
    }
    for (const path of [kept, mark]) rmSync(path, { force: true })
  },
}

try {
  steps[step]?.()
} catch (cause) {
  const why = isBusy(cause) ? 'another program has it open' : (cause as Error).message
  console.error(`The list in ${folder}: ${why}`)
  process.exitCode = 1
}

function isChanged(): boolean {
  try {
    return versionAlone(file) !== versionAlone(kept)
  } catch (cause) {
    if (isBusy(cause)) throw cause
    // A list that cannot be read any more was changed.
    return true
  }
}

/** Puts all of a list into one file, which fails while another process has it open. @returns its version. */
function versionAlone(list: string): number {
  const db = new DatabaseSync(list, { timeout: WAIT_MS })
  try {
    // The mode cannot be changed while others have it open, and does not wait for that.
    db.exec(
      'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT; PRAGMA journal_mode = DELETE',
    )
    // A log that remained would not be in the copy.
    if (existsSync(`${list}-wal`)) throw new Error('its log remains')
    return Number(db.prepare('PRAGMA user_version').get()?.user_version)
  } finally {
    db.close()
  }
}
