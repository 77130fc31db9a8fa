import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { holdAlone } from '../../store/sole-holder.ts'
import { OperatorError } from '../terminal/operator-error.ts'

const PREFIX = 'subscribers.backup-'
const LOCK = `${PREFIX}lock`
const WAIT_MS = 600_000

/**
 * Does `work` while no other back-up, restore or rehearsal of this list is under way, with a folder
 * for what nobody else may see. The folder is beside the list, since it holds the same, and goes at
 * the end; what a killed run left goes at the beginning.
 *
 * @param dataDir is made if it is not there, as with Firestore.
 */
export async function alone<T>(
  dataDir: string,
  say: (text: string) => void,
  work: (scratch: string) => Promise<T>,
): Promise<T> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const letGo = hold(join(dataDir, LOCK), say)
  try {
    for (const name of readdirSync(dataDir))
      if (name.startsWith(PREFIX) && name !== LOCK)
        rmSync(join(dataDir, name), { recursive: true, force: true })
    const scratch = mkdtempSync(join(dataDir, PREFIX))
    try {
      return await work(scratch)
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  } finally {
    letGo()
  }
}

function hold(lock: string, say: (text: string) => void): () => void {
  const atOnce = holdAlone(lock)
  if (atOnce) return atOnce
  say('Another back-up or rehearsal is under way: waiting for its end.')
  const later = holdAlone(lock, WAIT_MS)
  if (later) return later
  throw new OperatorError('Another back-up or rehearsal has been under way for ten minutes.')
}
