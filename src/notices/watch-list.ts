import { brakes } from '../shared/held-letters.ts'
import { alarmRule } from '../store/alarm.ts'
import type { Store } from '../store/store.ts'
import { watchAnnouncement } from './watch-announcement.ts'
import { type WatchedBackups, watchBackups } from './watch-backups.ts'

/** The alarm begins at this many quarantined in an hour, and ends at half of them. */
export const MANY_QUARANTINED = 100

/** From this many, letters that wait an hour at most are a flood; a few are a fair or an office. */
const MANY_HELD = 10

const HOUR_MS = 3_600_000

export type WatchedStore = Pick<
  Store,
  'notices' | 'outbox' | 'lock' | 'ledger' | 'events' | 'refusals'
>

/** Looks for a list whose time is over. @throws StoreUnavailable */
export type Overdue = (now: Date) => Promise<number | undefined>

export interface WatchOptions {
  readonly store: WatchedStore
  /** Left out for a store that does not record back-ups. */
  readonly backups: WatchedBackups | undefined
  /** When the first place was opened. */
  readonly since: Date
  /** How many are on a list that is to be erased; left out where its time is not over. */
  readonly overdue?: Overdue | undefined
}

/** Checks the list for problems, and notes the notices. @throws StoreUnavailable */
export async function watchList(options: WatchOptions, now: Date): Promise<void> {
  const { store, backups, since, overdue } = options
  if (backups) await watchBackups(store.notices, backups, since, now)
  await watchAnnouncement(store, now)
  await watchLetters(store, now)
  await watchEvents(store, now)
  await watchRefusals(store, now)
  if (overdue) await watchRetention(store.notices, (await overdue(now)) ?? 0, now)
  const number = await store.notices.quarantinedSince(new Date(now.getTime() - HOUR_MS))
  const isMany = number >= MANY_QUARANTINED
  const isWrong = isMany || (number < MANY_QUARANTINED / 2 ? false : undefined)
  await store.notices.changeAlarm(
    'quarantine',
    alarmRule({ kind: 'quarantine', isWrong, data: { number }, now }),
  )
}

/** A receiver that is restarted is no alarm. */
const AWAY_MS = HOUR_MS

/** Checks whether other systems are told of people. @throws StoreUnavailable */
async function watchEvents({ notices, events }: Pick<Store, 'notices' | 'events'>, now: Date) {
  const feed = await events.feed()
  // Where there never was a feed, this costs one look.
  if (!feed) return
  const { people, held } = await events.counts()
  const { failing, failure, isOn } = feed
  const isAway = isOn && people > 0 && !!failing && now.getTime() - failing.since >= AWAY_MS
  const isWrong = held > 0 || isAway || (failing ? undefined : false)
  const data = { people, held, ...(failure && { failure }) }
  await notices.changeAlarm('events', alarmRule({ kind: 'events', isWrong, data, now }))
}

/** Checks whether a provider refused many; it is over a day after the last report. */
async function watchRefusals({ notices, refusals }: WatchedStore, now: Date) {
  const many = await refusals.many(new Date(now.getTime() - 24 * HOUR_MS))
  await notices.changeAlarm(
    'refusals',
    alarmRule({
      kind: 'refusals',
      isWrong: many.length > 0,
      data: { many: many.slice(0, 5) },
      now,
    }),
  )
}

async function watchRetention(notices: Store['notices'], number: number, now: Date) {
  const data = number > 0 ? { number } : {}
  await notices.changeAlarm(
    'retention',
    alarmRule({ kind: 'retention', isWrong: number > 0, data, now }),
  )
}

/**
 * Checks whether letters wait: those of a filled hidden field need the operator to release them,
 * and many of the others are a flood. @throws StoreUnavailable
 */
async function watchLetters(store: Pick<Store, 'notices' | 'outbox'>, now: Date): Promise<void> {
  const held = await store.outbox.heldLetters()
  const all = brakes.reduce((sum, brake) => sum + held[brake], 0)
  const isWrong = held['hidden-field'] > 0 || all >= MANY_HELD || (all === 0 ? false : undefined)
  await store.notices.changeAlarm(
    'letters',
    alarmRule({ kind: 'letters', isWrong, data: { held }, now }),
  )
}
