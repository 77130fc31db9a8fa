import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { BESIDE_LIST } from '../../shared/data-folder.ts'
import { isOutage } from '../../store/open-store.ts'
import { holdAlone } from '../../store/sole-holder.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { refused } from '../refusal.ts'

const PREFIX = `${BESIDE_LIST}backup-`
/** No person would choose it: a folder `subscribers.backup-friday` is the operator's. */
const scratchName = /^subscribers\.backup-[0-9a-f]{16}$/
const WAIT_MS = 600_000

/**
 * Does `work` once no other back-up, restore or rehearsal of this list is under way, with a private
 * scratch folder. The folder is beside the list, since it holds the same data. It is removed at the end,
 * and where a run was killed, by the next one.
 *
 * @param dataDir is made if it is missing. @throws Refused, StoreUnavailable
 */
export async function alone<T>(dataDir: string, work: (scratch: string) => Promise<T>): Promise<T> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const letGo = holdAlone(join(dataDir, `${PREFIX}lock`), WAIT_MS)
  if (!letGo) throw refused({ code: 'other-back-up' })
  const remove = (name: string) => rmSync(join(dataDir, name), { recursive: true, force: true })
  const name = `${PREFIX}${randomBytes(8).toString('hex')}`
  try {
    for (const entry of readdirSync(dataDir, { withFileTypes: true }))
      if (entry.isDirectory() && scratchName.test(entry.name)) remove(entry.name)
    mkdirSync(join(dataDir, name), { mode: 0o700 })
    return await work(join(dataDir, name))
  } catch (cause) {
    // As on a full disk.
    if (!isOutage(cause)) throw cause
    const { message } = cause as Error
    throw new StoreUnavailable(`A file cannot be read or written: ${message}`, { cause })
  } finally {
    remove(name)
    letGo()
  }
}
