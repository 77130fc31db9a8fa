import { randomUUID } from 'node:crypto'
import {
  closeSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { join, relative } from 'node:path'

/**
 * Runs `work` while no other process of this machine does so for the same folder.
 *
 * The lock is a listening socket. The system releases it however its holder dies, and waiting
 * processes notice at once, because their connection ends. It is in the folder itself, so that only
 * users who may write there can take it. Other users change nothing there and need no lock.
 *
 * Each lock has a number, and the highest one counts. It is never removed, so nothing has to be
 * cleaned up after a killed holder, which could remove the lock of a living one.
 *
 * @template T
 * @param {string} folder
 * @param {() => void} onWait called once, when there is somebody to wait for.
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function oneAtATime(folder, onWait, work) {
  const place = openPlace(folder)
  try {
    const lock = await take(place, onWait)
    try {
      return await work()
    } finally {
      lock?.release()
    }
  } finally {
    place.close()
  }
}

/** Where no lock is possible: another user's folder, or a file system without sockets. */
const WITHOUT = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL'])

/** @typedef {ReturnType<typeof openPlace>} Place */

/** @param {string} folder */
function openPlace(folder) {
  // The path of a socket must be short, and that of a folder need not be.
  const handle = process.platform === 'linux' ? openSync(folder, 'r') : undefined
  const short = handle === undefined ? relative('', folder) : `/proc/self/fd/${handle}`
  return {
    /** @param {number | string} which */
    file: (which) => join(folder, `.start-${which}`),
    /** @param {number | string} which */
    address: (which) => join(short, `.start-${which}`),
    numbers: () =>
      readdirSync(folder).map((name) => Number(/^\.start-(\d+)$/.exec(name)?.[1] ?? 0)),
    close: () => handle !== undefined && closeSync(handle),
  }
}

/**
 * @param {Place} place
 * @param {() => void} onWait
 * @returns {Promise<{ release: () => void } | undefined>} undefined where no lock can be made.
 */
async function take(place, onWait) {
  for (let waited = false; ; ) {
    const newest = Math.max(0, ...place.numbers())
    const onHeld = () => {
      if (!waited) onWait()
      waited = true
    }
    if (newest > 0) await holderIsGone(place.address(newest), onHeld)
    try {
      const lock = await makeLock(place, newest + 1)
      if (lock) return lock
    } catch (error) {
      if (error instanceof Error && 'code' in error && WITHOUT.has(String(error.code)))
        return undefined
      throw error
    }
  }
}

/**
 * @param {Place} place
 * @param {number} number
 * @returns {Promise<{ release: () => void } | undefined>} undefined when somebody was faster.
 */
async function makeLock(place, number) {
  const own = randomUUID()
  const socket = await listen(place.address(own))
  const lock = place.file(number)
  try {
    // Linked after it listens, so that others never see a lock without a listener.
    linkSync(place.file(own), lock)
  } catch (error) {
    socket.close()
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined
    throw error
  } finally {
    rmSync(place.file(own), { force: true })
  }
  if (Math.max(...place.numbers()) > number) {
    rmSync(lock)
    socket.close()
    return undefined
  }
  for (const older of place.numbers())
    if (older > 0 && older < number) rmSync(place.file(older), { force: true })
  return {
    release() {
      // An ordinary file keeps the number, since copying a folder fails at a socket.
      writeFileSync(place.file(own), '')
      renameSync(place.file(own), lock)
      socket.close()
    },
  }
}

/**
 * @param {string} address
 * @returns {Promise<{ close: () => void }>}
 */
function listen(address) {
  return new Promise((resolve, reject) => {
    /** @type {Set<import('node:net').Socket>} */
    const waiting = new Set()
    const server = createServer((socket) => {
      waiting.add(socket)
      socket.on('error', () => {}).on('close', () => waiting.delete(socket))
    })
    const close = () => {
      server.close()
      for (const socket of waiting) socket.destroy()
    }
    // Every user who may write in the folder may wait, also for a lock of root.
    const path = { path: address, readableAll: true, writableAll: true }
    server.on('error', reject).listen(path, () => resolve({ close }))
  })
}

/**
 * @param {string} address
 * @param {() => void} onHeld called when there is one.
 * @returns {Promise<void>}
 */
function holderIsGone(address, onHeld) {
  return new Promise((resolve) => {
    const socket = connect(address, onHeld)
    // Its holder has ended.
    socket.on('error', () => {})
    socket.on('close', () => resolve()).resume()
  })
}
