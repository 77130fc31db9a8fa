import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { inCode } from '../../src/product/folders.mjs'

/** Where no lock is possible: another user's folder, or one that nobody may write. */
const WITHOUT = new Set(['EACCES', 'EPERM', 'EROFS'])

/** How often one who waits looks again. */
const LOOK_MS = 100

/**
 * Runs `work` while no other process of this machine does so for the same folder. The lock is the
 * operating system's, on a file in the folder, and ends with this process, however that ends.
 *
 * @template T
 * @param {string} folder
 * @param {() => Promise<T>} work
 * @param {Pick<NodeJS.WriteStream, 'write'>} [out] where to say that another one is waited for.
 * @returns {Promise<T>}
 */
export async function oneAtATime(folder, work, out = process.stdout) {
  /** @type {(() => void) | undefined} */
  let letGo
  try {
    for (let waits = false; ; waits = true) {
      letGo = await take(join(folder, '.start-lock'))
      if (letGo) break
      if (!waits) out.write('Waiting for another start in this folder …\n')
      await sleep(LOOK_MS)
    }
  } catch (error) {
    if (!WITHOUT.has(String(/** @type {NodeJS.ErrnoException} */ (error).code))) throw error
  }
  try {
    return await work()
  } finally {
    letGo?.()
  }
}

/**
 * @param {string} lock
 * @returns {Promise<(() => void) | undefined>} what releases it; nothing while another one has it.
 */
async function take(lock) {
  // A user who may read it could hold it, and so prevent every start.
  const fd = openSync(lock, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
  const letGo = process.platform === 'linux' ? flock(fd) : await heldBySqlite(lock)
  if (letGo)
    return () => {
      letGo()
      closeSync(fd)
    }
  closeSync(fd)
}

/**
 * Locks the open file, which a program that is given it does for us too; a Linux without that program
 * has no lock.
 *
 * @param {number} fd
 */
function flock(fd) {
  const { status } = spawnSync('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', fd] })
  return status === 1 ? undefined : () => {}
}

/**
 * On other systems the Node that runs this is new enough to have SQLite.
 *
 * @param {string} lock
 * @returns {Promise<(() => void) | undefined>}
 */
async function heldBySqlite(lock) {
  const { holdAlone } = await import(pathToFileURL(inCode('src/store/sole-holder.ts')).href)
  return holdAlone(lock)
}
