import { basename } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { StoreUnavailable } from '../subscriber-store.ts'
import { takeSteps } from './bring-up.ts'
import { newestVersion } from './migrations/all.ts'
import { versionOf } from './schema-version.ts'

/** The file is being brought up to this version; `end` resolves when that is over, however it went. */
export class BeingBroughtUp extends StoreUnavailable {
  readonly end: Promise<void>
  constructor(message: string, end: Promise<void>) {
    super(message)
    this.end = end
  }
}

/** The file is not for this program, or not for this product: no use to try again. */
export class WrongFile extends StoreUnavailable {}

export interface VersionGate {
  /**
   * Passes unless the file is being brought up. To be asked before anything opens it: on closing a
   * file the system lets go of all locks that this process has on it, the thread's as well.
   *
   * @throws BeingBroughtUp
   */
  enter(): void
  /** Passes when a file that was just opened is ours, and of our version. @throws StoreUnavailable */
  check(db: DatabaseSync): void
  /** Waits for what it has under way. */
  close(): Promise<void>
}

/** After a failure, such as a full disk, it is tried again, but not with each visitor. */
const TRY_AGAIN_MS = 5000

/** Stands between a file and its use: makes a new one, brings up an old one, refuses others. */
export function versionGate(
  file: string,
  appId: string,
  log: (message: string) => void,
): VersionGate {
  let underWay: { readonly end: Promise<void>; readonly message: string } | undefined
  let failed: { message: string; at: number } | undefined

  async function bringUp(from: number) {
    const script = new URL('./bring-up-worker.ts', import.meta.url)
    const { copy, failure } = await said(
      new Worker(script, { workerData: { file, appId }, execArgv: [] }),
    )
    failed = failure === undefined ? undefined : { message: failure, at: performance.now() }
    if (copy)
      log(
        `${file} was brought up from version ${from} to ${newestVersion}. As it was, it is in ${basename(copy)} beside it, addresses and all.`,
      )
  }

  function enter() {
    if (underWay) throw new BeingBroughtUp(underWay.message, underWay.end)
  }

  return {
    enter,

    check(db) {
      const version = versionOf(db)
      if (version > newestVersion || version < 0)
        throw new WrongFile(
          `${file} is of version ${version}, and this program knows versions up to ${newestVersion}: use the newer program`,
        )
      if (version === 0) make(db, appId)
      else if (version < newestVersion) {
        const what = `${file} is of version ${version}, and this program needs version ${newestVersion}`
        if (failed && performance.now() - failed.at < TRY_AGAIN_MS)
          throw new WrongFile(`${what}; it could not be brought up: ${failed.message}`)
        const end = bringUp(version).finally(() => {
          underWay = undefined
        })
        underWay = { end, message: `${what}: it is being brought up` }
        enter()
      } else checkProduct(db, file, appId)
    },

    async close() {
      await underWay?.end
    },
  }
}

interface Said {
  readonly copy?: string
  readonly failure?: string
}

function said(worker: Worker): Promise<Said> {
  return new Promise((resolve) => {
    worker.on('message', resolve)
    worker.on('error', ({ message }) => resolve({ failure: message }))
    worker.on('exit', () => resolve({ failure: 'it ended before it was done' }))
  })
}

/** An empty file takes all steps at once. */
function make(db: DatabaseSync, appId: string) {
  db.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have been faster.
    takeSteps(db, appId)
    db.exec('COMMIT')
  } catch (cause) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw cause
  }
}

function checkProduct(db: DatabaseSync, file: string, appId: string) {
  const kept = db.prepare('SELECT appId FROM product').get()?.appId
  if (kept !== appId)
    throw new WrongFile(
      `${file} holds the subscribers of the appId "${kept}", and product.config.ts says "${appId}": put the appId back, or choose another DATA_DIR`,
    )
}
