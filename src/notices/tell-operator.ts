import type { Work } from '../queue/round.ts'
import type { HeardNothing } from '../shared/heard-nothing.ts'
import type { Store } from '../store/store.ts'
import { type NoticeLog, placeRounds } from './deliver-notices.ts'
import { lastEndedDay, type TimeOfDay } from './end-of-day.ts'
import type { Place } from './place.ts'
import { backupsOfDay, type WatchedBackups } from './watch-backups.ts'
import { type Overdue, type WatchedStore, watchList } from './watch-list.ts'
import { storeWatch } from './watch-store.ts'

export interface TellOperatorOptions {
  readonly store: ToldFrom
  readonly places: readonly Place[]
  readonly appId: string
  /** When a day is summed up; left out for no summaries. */
  readonly dayEndsAt: TimeOfDay | undefined
  readonly zone: string
  readonly areAddressesTold: boolean
  /** Left out where nobody looks at them. */
  readonly backups: WatchedBackups | undefined
  /** Left out for a product that sets no time after which its list is erased. */
  readonly overdue?: Overdue | undefined
  /** Counts, once a day, who has heard nothing for long. @throws StoreUnavailable */
  readonly silence?: ((now: Date) => Promise<HeardNothing | undefined>) | undefined
  /** How often it looks for notices to send, in milliseconds. */
  readonly everyMs: number
  readonly log: NoticeLog
  readonly now?: () => Date
}

export type ToldFrom = WatchedStore & Pick<Store, 'visits' | 'checkWritable'>

const MILESTONES_EVERY_MS = 2000
const WATCH_STORE_EVERY_MS = 60_000
/** Checking the list reads much of it when many are quarantined. */
const WATCH_LIST_EVERY_MS = 300_000
const MOST_SOURCES = 5

/** Tells the operator what happens to the list, at their places. */
export function tellOperator(
  options: TellOperatorOptions,
): Work & Required<Pick<Work, 'begin' | 'stop'>> {
  const { store, places, appId, dayEndsAt, zone, backups, overdue, log } = options
  const { now = () => new Date() } = options
  const sent = places.map((place) => placeRounds(place, { ...options, store: store.notices, now }))
  const watchStore = storeWatch({ store, places, appId, now, log })
  let since: Date | undefined
  /** The last day that was noted, here or by another server. */
  let lastDay: string | undefined
  let [milestonesAt, listWatchedAt, storeWatchedAt] = [0, 0, 0]

  async function open(): Promise<Date> {
    since ??= await store.notices.open(
      places.map(({ name }) => name),
      now(),
    )
    return since
  }

  async function noteDay(toldSince: Date) {
    if (!dayEndsAt) return
    const { day, from, to } = lastEndedDay(now(), dayEndsAt, zone)
    if (day === lastDay) return
    if (to > toldSince) {
      // Counts the list again, since erased or released people move the next milestone.
      await store.notices.open(
        places.map(({ name }) => name),
        now(),
      )
      await store.notices.noteEvent({
        key: `day:${day}`,
        type: 'day.ended',
        at: now(),
        data: { day, from: from.toISOString(), to: to.toISOString(), ...(await sums(from, to)) },
      })
    }
    lastDay = day
  }

  async function sums(from: Date, to: Date) {
    const { signUps, subscribers, quarantined } = await store.notices.growthBetween(from, to)
    const hours = (await store.visits.since(from)).filter(({ hour }) => hour < to)
    const names = await store.visits.signUpNames(from)
    const sources = names
      .filter(({ kind, name }) => kind === 'source' && name !== null)
      .slice(0, MOST_SOURCES)
      .map(({ name, number }) => [name, number])
    const heardNothing = await options.silence?.(now())
    const visits = hours.reduce((sum, { counts }) => sum + counts.first, 0)
    return {
      signUps,
      subscribers,
      quarantined,
      ...(hours.length > 0 && { visits }),
      sources,
      ...(heardNothing && heardNothing.people > 0 && { heardNothing }),
      ...(backups && { backups: backupsOfDay(await backups.state(now())) }),
    }
  }

  /** @returns whether this time has passed, or the clock was put back. */
  function isTime(last: number, every: number) {
    const passed = now().getTime() - last
    return passed >= every || passed < 0
  }

  async function round() {
    if (isTime(storeWatchedAt, WATCH_STORE_EVERY_MS)) {
      storeWatchedAt = now().getTime()
      const back = await watchStore()
      if (back) await store.notices.noteEvent(back)
    }
    const toldSince = await open()
    if (isTime(milestonesAt, MILESTONES_EVERY_MS)) {
      milestonesAt = now().getTime()
      await store.notices.noteMilestones(now())
    }
    await noteDay(toldSince)
    if (isTime(listWatchedAt, WATCH_LIST_EVERY_MS)) {
      listWatchedAt = now().getTime()
      await watchList({ store, backups, since: toldSince, overdue }, now())
    }
    // A slow place delays no other.
    const told = await Promise.allSettled(sent.map((place) => place.round()))
    const failed = told.find((one) => one.status === 'rejected')
    if (failed) throw failed.reason
  }

  return {
    begin: open,
    round: async () => {
      await round()
      return false
    },
    nextPause: () => options.everyMs,
    onFault: (name) => log.error(`Notices cannot be sent: ${name}`),
    stop() {
      for (const place of places) place.close()
    },
    finish: () => Promise.all(sent.map((place) => place.finish())),
  }
}
