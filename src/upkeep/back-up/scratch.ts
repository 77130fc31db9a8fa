import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { BESIDE_LIST } from '../../shared/data-folder.ts'
import { holdAlone } from '../../store/sole-holder.ts'
import { refused } from '../refusal.ts'
import type { Report } from '../report.ts'

const PREFIX = `${BESIDE_LIST}backup-`
const LOCK = `${PREFIX}lock`
/**
 * Names that no person would choose: a file `subscribers.backup-before-launch` is the operator's.
 */
const scratchName = /^subscribers\.backup-[0-9a-f]{16}$/
const unfinishedKey = /^subscribers\.backup-[0-9a-f]{8}\.part$/
const WAIT_MS = 600_000

/**
 * Does `work` while no other back-up, restore or rehearsal of this list is under way, with a
 * private scratch folder. The folder is beside the list, since it holds the same data, and is
 * removed at the end; leftovers of killed runs are removed at the beginning.
 *
 * @param dataDir is made if it is missing.
 */
export async function alone<T>(
  dataDir: string,
  report: Report,
  work: (scratch: string) => Promise<T>,
): Promise<T> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const letGo = hold(join(dataDir, LOCK), report)
  try {
    removeLeft(dataDir)
    const scratch = join(dataDir, `${PREFIX}${randomBytes(8).toString('hex')}`)
    mkdirSync(scratch, { mode: 0o700 })
    try {
      return await work(scratch)
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  } finally {
    letGo()
  }
}

/** Removes only leftovers of killed runs. */
function removeLeft(dataDir: string) {
  for (const entry of readdirSync(dataDir, { withFileTypes: true }))
    if (
      (entry.isDirectory() && scratchName.test(entry.name)) ||
      (entry.isFile() && unfinishedKey.test(entry.name))
    )
      rmSync(join(dataDir, entry.name), { recursive: true, force: true })
}

function hold(lock: string, report: Report): () => void {
  const atOnce = holdAlone(lock)
  if (atOnce) return atOnce
  report('waits-for-other-back-up', {})
  const later = holdAlone(lock, WAIT_MS)
  if (later) return later
  throw refused({ code: 'other-back-up' })
}
