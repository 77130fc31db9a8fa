import { alarmRule } from '../../store/alarm.ts'
import type { Notices } from '../../store/notices.ts'

/** The last back-up is old after so many hours; where none was made, so long after somebody is told. */
export const OLDEST_BACKUP_HOURS = 72
/** So many that are quarantined within an hour fill the quarantine; with half of them it fills no more. */
export const MANY_QUARANTINED = 100

const HOUR_MS = 3_600_000

export interface WatchOptions {
  readonly store: Pick<Notices, 'changeAlarm' | 'quarantinedSince'>
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
  // It begins and ends with the announcement's runs; here it is told once more.
  await store.changeAlarm('announcement', (known) => {
    if (!known?.isOn) return {}
    return alarmRule({ kind: 'announcement', isWrong: true, data: known.data, now })(known)
  })
  const number = await store.quarantinedSince(new Date(now.getTime() - HOUR_MS))
  const isMany = number >= MANY_QUARANTINED
  const isWrong = isMany || (number < MANY_QUARANTINED / 2 ? false : undefined)
  await store.changeAlarm(
    'quarantine',
    alarmRule({ kind: 'quarantine', isWrong, data: { number }, now }),
  )
}
