import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Where no lock is possible: another user's folder, or a file system without links. */
const WITHOUT = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'])

/** How often one who waits looks again. */
const LOOK_MS = 100

/**
 * Runs `work` while no other process of this machine does so for the same folder. The lock is a file in
 * the folder itself, so that only users who may write there can take it; it names its holder, and is
 * nothing once that has ended, however it did.
 *
 * @template T
 * @param {string} folder
 * @param {() => Promise<T>} work
 * @param {Pick<NodeJS.WriteStream, 'write'>} [out] where to say that another one is waited for.
 * @returns {Promise<T>}
 */
export async function oneAtATime(folder, work, out = process.stdout) {
  // A copy of the folder is another one, even if made meanwhile.
  const lock = join(folder, `.start-${statSync(folder).ino}`)
  try {
    for (let waits = false; !take(lock); waits = true) {
      if (!waits) out.write('Waiting for another start in this folder …\n')
      await sleep(LOOK_MS)
    }
  } catch (error) {
    if (WITHOUT.has(String(/** @type {NodeJS.ErrnoException} */ (error).code))) return work()
    throw error
  }
  try {
    return await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

/**
 * @param {string} lock
 * @returns whether it is ours now.
 */
function take(lock) {
  const name = randomUUID()
  const own = `${lock}-${name}`
  writeFileSync(own, `${process.pid} ${birthOf(process.pid)} ${name}`)
  try {
    return claim(lock, own)
  } finally {
    rmSync(own)
  }
}

/**
 * The lock of one who has ended is taken away by the one who has a lock of its name: of many who find it,
 * none takes away the next one's.
 *
 * @param {string} lock
 * @param {string} own a file that names us.
 * @returns {boolean}
 */
function claim(lock, own) {
  try {
    // Its content comes with it, so that nobody sees a lock without a holder.
    linkSync(own, lock)
    return true
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
  }
  const holder = holderOf(lock)
  const [pid, birth, name] = holder.split(' ')
  if (name !== undefined) {
    if (isAlive(Number(pid), birth)) return false
    const right = `${lock}-${name}`
    if (!claim(right, own)) return false
    if (holderOf(lock) === holder) rmSync(lock)
    rmSync(right)
  }
  return claim(lock, own)
}

/** @param {string} lock */
function holderOf(lock) {
  try {
    return readFileSync(lock, 'utf8')
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return ''
    throw error
  }
}

/**
 * @param {number} pid
 * @param {string | undefined} birth
 */
function isAlive(pid, birth) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH') return false
  }
  const found = birthOf(pid)
  return found === '' || found === birth
}

/**
 * When a process began, by which it differs from a later one of the same number, as in each start of a
 * container; nothing where the system does not say.
 *
 * @param {number} pid
 */
function birthOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // A program's name, in brackets, may hold anything. After it: the state, and as field 22 the time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? '')
  } catch {
    return ''
  }
}
