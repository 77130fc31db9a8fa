import type { Announcement } from '../store/delivery-ledger.ts'
import type { Run } from '../store/run.ts'
import type { Store } from '../store/store.ts'
import { lastRun } from './run/dead-run.ts'

export type Progress = Announcement & { readonly run: Run | undefined }

/** The last announcement with its last run. */
export async function lastAnnouncement({
  ledger,
  lock,
}: Pick<Store, 'ledger' | 'lock'>): Promise<Progress | undefined> {
  const [last] = await ledger.announcements()
  if (!last) return undefined
  return { ...last, run: await lastRun(lock, last.id) }
}
