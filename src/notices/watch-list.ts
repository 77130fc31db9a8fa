import { brakes, type HeldLetters } from '../shared/held-letters.ts'
import { alarmRule } from '../store/alarm.ts'
import type { AlarmKind, NoticeData } from '../store/notices.ts'
import type { Store } from '../store/store.ts'
import { watchAnnouncement } from './watch-announcement.ts'
import { type WatchedBackups, watchBackups } from './watch-backups.ts'

/** The alarm begins at this many quarantined in an hour, and ends at half of them. */
const MANY_QUARANTINED = 100

/** From this many, letters that wait an hour at most are a flood; a few are a fair or an office. */
const MANY_HELD = 10

const HOUR_MS = 3_600_000
/** A receiver that is restarted is no alarm. */
const AWAY_MS = HOUR_MS

export type WatchedStore = Pick<
  Store,
  'notices' | 'requests' | 'lock' | 'ledger' | 'events' | 'refusals' | 'counts'
>

/** Looks for a list whose time is over. @throws StoreUnavailable */
export type Overdue = (now: Date) => Promise<number | undefined>

export interface WatchOptions {
  readonly store: WatchedStore
  /** Left out where nobody looks at them. */
  readonly backups: WatchedBackups | undefined
  /** When the first place was opened. */
  readonly since: Date
  /** How many are on a list that is to be erased; left out where its time is not over. */
  readonly overdue?: Overdue | undefined
}

/** Checks the list for problems, and notes the notices. @throws StoreUnavailable */
export async function watchList(options: WatchOptions, now: Date): Promise<void> {
  const { store, backups, since, overdue } = options
  const note = (kind: AlarmKind, isWrong: boolean | undefined, data: NoticeData) =>
    store.notices.changeAlarm(kind, alarmRule({ kind, isWrong, data, now }))
  const ago = (ms: number) => new Date(now.getTime() - ms)
  if (backups) await watchBackups(store.notices, backups, since, now)
  await watchAnnouncement(store, now)
  const held = await store.requests.heldLetters()
  await note('letters', areHeld(held), { held })
  const feed = await store.events.feed()
  // Where there never was a feed, this costs one look.
  if (feed) {
    const { people, held } = await store.events.counts()
    const { failing, failure, isOn } = feed
    const isAway = isOn && people > 0 && !!failing && failing.since <= ago(AWAY_MS).getTime()
    const isWrong = held > 0 || isAway || (failing ? undefined : false)
    await note('events', isWrong, { people, held, ...(failure && { failure }) })
  }
  const counted = await store.counts.last()
  if (counted) {
    const { unreadable, wrong } = counted
    await note('counts', unreadable > 0 || wrong.length > 0, { unreadable, wrong: [...wrong] })
  }
  // It is over a day after the last report.
  const many = await store.refusals.many(ago(24 * HOUR_MS))
  await note('refusals', many.length > 0, { many: many.slice(0, 5) })
  if (overdue) {
    const number = (await overdue(now)) ?? 0
    await note('retention', number > 0, number > 0 ? { number } : {})
  }
  const number = await store.notices.quarantinedSince(ago(HOUR_MS))
  const isMany = number >= MANY_QUARANTINED
  await note('quarantine', isMany || (number < MANY_QUARANTINED / 2 ? false : undefined), {
    number,
  })
}

/** Those of a filled hidden field need the operator to release them; many of the others are a flood. */
function areHeld(held: HeldLetters): boolean | undefined {
  const all = brakes.reduce((sum, brake) => sum + held[brake], 0)
  return held['hidden-field'] > 0 || all >= MANY_HELD || (all === 0 ? false : undefined)
}
