import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Runs `work` while no other process of this machine does so for the same folder. The lock is the
 * operating system's, on a file in the folder, and ends with this process, however that ends. Without
 * the program that locks, there is none.
 *
 * @template T
 * @param {string} folder
 * @param {() => Promise<T>} work
 * @param {Pick<NodeJS.WriteStream, 'write'>} [out] where to say that another one is waited for.
 * @returns {Promise<T>}
 */
export async function oneAtATime(folder, work, out = process.stdout) {
  const file = openLock(join(folder, '.start-lock'))
  if (file === undefined) return work()
  try {
    // The program locks the file that is open here, and leaves that to us.
    const take = () => spawnSync('flock', ['-n', '3'], { stdio: [null, null, null, file] })
    for (let waits = false; take().status === 1; waits = true) {
      if (!waits) out.write('Waiting for another start in this folder …\n')
      await sleep(100)
    }
    return await work()
  } finally {
    closeSync(file)
  }
}

/**
 * A user who may read it could hold it, and so prevent every start.
 *
 * @param {string} path
 * @returns {number | undefined} nothing in another user's folder, or one that nobody may write.
 */
function openLock(path) {
  try {
    return openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
  } catch (error) {
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error)
    if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) throw error
  }
}
