import { basename, extname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { StoreMismatch } from '../subscriber-store.ts'
import { takeSteps } from './bring-up.ts'
import type { BroughtUp } from './bring-up-worker.ts'
import { connectionTo } from './connection.ts'
import { newestVersion } from './migrations/all.ts'
import { BeingBroughtUp } from './retry.ts'
import { versionOf } from './schema-version.ts'
import { inTransaction } from './transaction.ts'

export interface VersionGate {
  /**
   * To be called before the file is opened. While a thread migrates the file, opening and closing
   * it here would drop that thread's locks: the system drops all locks of a process at once.
   *
   * @throws BeingBroughtUp during that time.
   */
  enter(): void
  /** Checks a file that was just opened. @throws StoreUnavailable unless it is ours, and of our version. */
  check(db: DatabaseSync): void
  /** Waits for a migration under way. */
  close(): Promise<void>
}

/**
 * The pause after a failed migration, such as on a full disk, so that not every visitor tries it
 * again.
 */
const TRY_AGAIN_MS = 5000

/** Guards the use of a file: sets up a new one, migrates an old one, refuses others. */
export function versionGate(
  file: string,
  appId: string,
  log: (message: string) => void,
): VersionGate {
  let underWay: { readonly end: Promise<void>; readonly message: string } | undefined
  let failed: { readonly error: unknown; readonly at: number } | undefined

  async function bringUp(from: number, what: string) {
    const script = new URL(`./bring-up-worker${extname(import.meta.filename)}`, import.meta.url)
    const worker = new Worker(script, { workerData: { file, appId }, execArgv: [] })
    try {
      const { copy } = await endOf(worker, what)
      failed = undefined
      if (copy)
        log(
          `${file} was updated from version ${from} to ${newestVersion}. Beside it, ${basename(copy)} is the list as it was, with all addresses.`,
        )
    } catch (error) {
      failed = { error, at: performance.now() }
    }
  }

  function enter() {
    if (underWay) throw new BeingBroughtUp(underWay.message, underWay.end)
  }

  return {
    enter,

    check(db) {
      const version = versionOf(db)
      if (version > newestVersion || version < 0)
        throw new StoreMismatch(
          `${file} is of version ${version}, and this program knows versions up to ${newestVersion}: use the newer program`,
        )
      // An empty file takes all steps at once; another process may have been faster.
      if (version === 0) inTransaction(connectionTo(db), () => takeSteps(db, appId))
      else if (version < newestVersion) {
        // Which each version of ours has.
        refuseWithout('documents', db, file)
        if (failed && performance.now() - failed.at < TRY_AGAIN_MS) throw failed.error
        const what = `${file} is of version ${version}, and this program needs version ${newestVersion}`
        const end = bringUp(version, what).finally(() => {
          underWay = undefined
        })
        underWay = { end, message: `${what}: it is being updated` }
        enter()
      } else checkProduct(db, file, appId, log)
    },

    async close() {
      await underWay?.end
    },
  }
}

/** @throws StoreMismatch when it failed; a fault, as it is. */
async function endOf(worker: Worker, what: string): Promise<{ readonly copy: string | undefined }> {
  const result = await new Promise<BroughtUp>((resolve, reject) => {
    worker.on('message', resolve)
    worker.on('error', reject)
    worker.on('exit', () => resolve({ failure: 'it ended before it was done' }))
  })
  if ('failure' in result)
    throw new StoreMismatch(`${what}; it could not be updated: ${result.failure}`)
  return result
}

/** A list of another product is refused, unless nobody is on it: then it gets this one's appId. */
function checkProduct(
  db: DatabaseSync,
  file: string,
  appId: string,
  log: (message: string) => void,
) {
  refuseWithout('product', db, file)
  const keptId = () => db.prepare('SELECT appId FROM product').get()?.appId
  if (keptId() === appId) return
  const isAdopted = inTransaction(connectionTo(db), () => {
    const kept = keptId()
    if (kept !== appId && isOfSomebody(db))
      throw new StoreMismatch(
        `${file} holds the subscribers of the appId "${kept}", and product.config.ts says "${appId}": put the appId back, or choose another DATA_DIR`,
      )
    db.exec('DELETE FROM product')
    db.prepare('INSERT INTO product (appId) VALUES (?)').run(appId)
    return kept !== appId
  })
  if (isAdopted) log(`${file}: nobody was on this list, so its appId is "${appId}" now.`)
}

/** @throws StoreMismatch where the file has no such table of ours. */
function refuseWithout(table: string, db: DatabaseSync, file: string) {
  const isOurs = db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table)
  if (!isOurs) throw new StoreMismatch(`${file} is a database of another program`)
}

/** Whether the file holds data of people, or a public key that their product may know. */
function isOfSomebody(db: DatabaseSync): boolean {
  const tables = ['documents', 'standings', 'outbox', 'pending', 'announcements', 'extras'].concat(
    'eventQueues',
    'invitationKey',
  )
  return tables.some((table) => db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined)
}
