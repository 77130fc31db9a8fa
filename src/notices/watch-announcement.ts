import { alarmRule } from '../store/alarm.ts'
import type { Store } from '../store/store.ts'

/** If the command is run again within this time, nothing is told. */
const ABANDONED_MS = 3 * 60_000

export type WatchedAnnouncements = Pick<Store, 'notices' | 'lock' | 'ledger'>

/**
 * The alarm of an announcement begins and ends with its runs. A killed run tells nothing, but
 * leaves its lock behind, which every other end releases. An alarm that is on is also told once
 * more here.
 *
 * @throws StoreUnavailable
 */
export async function watchAnnouncement(store: WatchedAnnouncements, now: Date): Promise<void> {
  const id = await cutOff(store, now)
  await store.notices.changeAlarm('announcement', (known) => {
    const isOfIt = known?.data.announcement === id
    if (id === undefined || (known?.isOn && isOfIt)) {
      if (!known?.isOn) return {}
      return alarmRule({ kind: 'announcement', isWrong: true, data: known.data, now })(known)
    }
    const data = { announcement: id, why: 'cut-off', answer: '' }
    return alarmRule({ kind: 'announcement', isWrong: true, data, now })(isOfIt ? known : undefined)
  })
}

/** @returns the announcement of a killed run, if it is not finished. */
async function cutOff(store: WatchedAnnouncements, now: Date): Promise<string | undefined> {
  const id = await store.lock.abandoned(new Date(now.getTime() - ABANDONED_MS))
  const one = id ? await store.ledger.findAnnouncement(id) : undefined
  // Without a number of recipients, the run was killed before all of them had a row.
  if (!one || one.eligible === undefined) return one?.id
  const { queued, sending } = await store.ledger.tally(one.id)
  return queued + sending > 0 ? id : undefined
}
