/**
 * One step of an update with the list, as a process of the list's owner, who may have put anything
 * there: `node list-step.ts look|close|back <data folder>`. A step can be done again after a kill.
 */
import { closeSync, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAnnouncing, LIST } from '../../store/list-at-rest.ts'
import { makeNew, syncFile, syncFolder } from '../../store/output-file.ts'
import { keptList, updateMark } from '../../store/under-update.ts'

/** How long to wait for other programs of ours. */
const WAIT_MS = 10_000
const LOOK_EVERY_MS = 250

const [step, folder = ''] = process.argv.slice(2)
const [file, kept] = [`${folder}/${LIST}`, keptList(folder)]

try {
  if (step === 'look' && isAnnouncing(folder))
    throw new Error('an announcement is under way: wait for its end, or stop it, first')
  if (step === 'close') await close()
  if (step === 'back') await back()
} catch (cause) {
  console.error(`The list in ${folder}: ${(cause as Error).message}`)
  process.exitCode = 1
}

/** Keeps all other programs away from the list, and keeps it as it is. */
async function close() {
  if (!existsSync(updateMark(folder))) closeSync(makeNew(updateMark(folder)))
  if (existsSync(file)) {
    await alone()
    const unfinished = `${kept}.part`
    rmSync(unfinished, { force: true })
    closeSync(makeNew(unfinished))
    copyFileSync(file, unfinished)
    syncFile(unfinished)
    renameSync(unfinished, kept)
  }
  syncFolder(folder)
}

/** Brings the kept list back where a step of the new version has changed the other, and lets go of it. */
async function back() {
  if (existsSync(kept) && (await isChanged())) {
    for (const end of ['-wal', '-shm', '-journal']) rmSync(file + end, { force: true })
    renameSync(kept, file)
  }
  for (const path of [kept, updateMark(folder)]) rmSync(path, { force: true })
  syncFolder(folder)
}

async function isChanged(): Promise<boolean> {
  try {
    return (await alone()) !== versionIn(kept)
  } catch {
    // A list that cannot be read any more was changed.
    return true
  }
}

/** Puts all of it into one file, which fails while another process has it open. @returns its version. */
async function alone(): Promise<number> {
  for (const until = performance.now() + WAIT_MS; ; await sleep(LOOK_EVERY_MS)) {
    const db = new DatabaseSync(file)
    try {
      const [mode] = Object.values(db.prepare('PRAGMA journal_mode = DELETE').get() ?? {})
      // A log that remained would not be in the copy.
      if (mode !== 'delete' || existsSync(`${file}-wal`)) throw new Error('it is in use')
      return versionIn(file)
    } catch (cause) {
      if (performance.now() > until) throw cause
    } finally {
      db.close()
    }
  }
}

function versionIn(list: string): number {
  const db = new DatabaseSync(list, { readOnly: true })
  try {
    return Number(db.prepare('PRAGMA user_version').get()?.user_version)
  } finally {
    db.close()
  }
}
