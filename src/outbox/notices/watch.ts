import { alarmRule } from '../../store/alarm.ts'
import type { Notices } from '../../store/notices.ts'
import { type WatchedAnnouncements, watchAnnouncement } from './watch-announcement.ts'

/** The last back-up is old after so many hours; where none was made, so long after somebody is told. */
export const OLDEST_BACKUP_HOURS = 72
/** So many that are quarantined within an hour fill the quarantine; with half of them it fills no more. */
export const MANY_QUARANTINED = 100

const HOUR_MS = 3_600_000

export interface WatchOptions {
  readonly store: Pick<Notices, 'quarantinedSince'> & WatchedAnnouncements
  /** When the last back-up was made; left out for a store that does not know. */
  readonly lastBackup: (() => Promise<Date | null>) | undefined
  /** Since when anybody is told. */
  readonly since: Date
}

/** Looks at what may be wrong with the list, and notes what is to be told of it. @throws StoreUnavailable */
export async function watchList(options: WatchOptions, now: Date): Promise<void> {
  const { store, lastBackup, since } = options
  if (lastBackup) {
    const last = await lastBackup()
    const hours = Math.floor((now.getTime() - (last ?? since).getTime()) / HOUR_MS)
    const data = { last: last?.toISOString() ?? null, hours }
    const isWrong = hours >= OLDEST_BACKUP_HOURS
    await store.changeAlarm('backup', alarmRule({ kind: 'backup', isWrong, data, now }))
  }
  await watchAnnouncement(store, now)
  const number = await store.quarantinedSince(new Date(now.getTime() - HOUR_MS))
  const isMany = number >= MANY_QUARANTINED
  const isWrong = isMany || (number < MANY_QUARANTINED / 2 ? false : undefined)
  await store.changeAlarm(
    'quarantine',
    alarmRule({ kind: 'quarantine', isWrong, data: { number }, now }),
  )
}
