import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs `work` while no other process of this machine does so for the same folder.
 *
 * The lock is a listening socket: the system lets go of it when its holder dies, however it dies,
 * and those who wait are told at once, because their connection ends.
 *
 * @template T
 * @param {string} folder
 * @param {() => void} onWait called once, when there is somebody to wait for.
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function oneAtATime(folder, onWait, work) {
  const address = lockAddress(folder)
  for (let waited = false; ; waited = true) {
    const lock = await listen(address)
    if (lock) {
      try {
        return await work()
      } finally {
        lock.close()
      }
    }
    if (!waited) onWait()
    await holderIsGone(address)
  }
}

/** @param {string} folder */
function lockAddress(folder) {
  const name = `opening-bell-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`
  // Linux has sockets that are no files, so none is left behind by a holder that was killed.
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`)
}

/**
 * @param {string} address
 * @returns {Promise<{ close: () => void } | undefined>} undefined when somebody else has it.
 */
function listen(address) {
  return new Promise((resolve, reject) => {
    /** @type {Set<import('node:net').Socket>} */
    const waiting = new Set()
    const server = createServer((socket) => {
      waiting.add(socket)
      socket.on('error', () => {}).on('close', () => waiting.delete(socket))
    })
    server.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === 'EADDRINUSE') resolve(undefined)
      else reject(error)
    })
    server.listen(address, () =>
      resolve({
        close() {
          server.close()
          for (const socket of waiting) socket.destroy()
        },
      }),
    )
  })
}

/** @param {string} address */
function holderIsGone(address) {
  return /** @type {Promise<void>} */ (
    new Promise((resolve) => {
      const socket = connect(address)
      socket.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
        // A socket file that nobody listens on was left by a holder that was killed.
        if (error.code === 'ECONNREFUSED' && !address.startsWith('\0'))
          rmSync(address, { force: true })
      })
      socket.on('close', () => resolve()).resume()
    })
  )
}
