import { alarmRule } from '../../store/alarm.ts'
import type { Notices } from '../../store/notices.ts'
import { type WatchedBackups, watchBackups } from './watch-backups.ts'

/** So many that are quarantined within an hour fill the quarantine; with half of them it fills no more. */
export const MANY_QUARANTINED = 100

const HOUR_MS = 3_600_000

export interface WatchOptions {
  readonly store: Pick<Notices, 'changeAlarm' | 'quarantinedSince'>
  /** Left out for a store that does not know of any. */
  readonly backups: WatchedBackups | undefined
  /** Since when anybody is told. */
  readonly since: Date
}

/** Looks at what may be wrong with the list, and notes what is to be told of it. @throws StoreUnavailable */
export async function watchList(options: WatchOptions, now: Date): Promise<void> {
  const { store, backups, since } = options
  if (backups) await watchBackups(store, backups, since, now)
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
